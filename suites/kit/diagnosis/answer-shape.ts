import { hash } from 'node:crypto';
import type { Answer, Exchange } from '../model/exchange.ts';
import { isJsonObject, readJson } from '../reading/json.ts';

/** What an answer is, whatever it is called: the class of its status, and what it holds. */
export function answerKind({ outcome }: Exchange): string {
  const answer = outcome.kind === 'not-sent' ? undefined : outcome.answer;
  return answer === undefined ? outcome.kind : `${Math.floor(answer.status / 100)}xx ${contentOf(answer)}`;
}

const ERROR_NAMES: ReadonlySet<string> = new Set(['error', 'errors', 'detail', 'code', 'message']);

function contentOf(answer: Answer): string {
  const reading = readJson(answer);
  const text = Buffer.from(answer.body.subarray(0, 400)).toString('latin1').trim();
  if (isTypedStream(answer) || /^(?:data|event|id)?:/.test(text)) return 'stream';
  if (reading.kind === 'no-json') return text === '' ? 'empty' : text.startsWith('<') ? 'page' : 'text';
  if (Array.isArray(reading.value)) return 'list';
  if (!isJsonObject(reading.value)) return 'value';
  const names = [reading.value, ...Object.values(reading.value).filter(isJsonObject)].flatMap(Object.keys);
  if (names.includes('choices')) return 'completion';
  return names.some((name) => ERROR_NAMES.has(name)) ? 'error' : 'object';
}

function isTypedStream({ headers }: Answer): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

/**
 * What an answer looks like whatever it says: its status, its type, and the names and types in it. Hashed: only whether
 * two are equal counts.
 */
export function answerShape({ outcome }: Exchange): string {
  const answer = outcome.kind === 'not-sent' ? undefined : outcome.answer;
  if (answer === undefined) return outcome.kind;
  const type = answer.headers['content-type']?.split(';', 1)[0] ?? 'none';
  return hash('sha256', `${answer.status} ${type} ${bodyShape(answer)}`, 'hex').slice(0, 4);
}

function bodyShape(answer: Answer): string {
  const reading = readJson(answer);
  if (reading.kind === 'json') return shapeOf(reading.value, 4);
  const text = Buffer.from(answer.body.subarray(0, 4000)).toString('latin1');
  return isTypedStream(answer)
    ? streamShape(text)
    : `${answer.body.length === 0 ? 'empty' : 'text'} ${text.slice(0, 1)}`;
}

/** The shapes of its first and its last event, and whether there are others. */
function streamShape(text: string): string {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line !== '');
  const shapes = lines.map((line) => {
    const [name = '', data = ''] = line.split(/: ?(.*)/s);
    return `${name}:${eventShape(data)}`;
  });
  return [...new Set(shapes)].slice(0, 6).join(' ');
}

function eventShape(data: string): string {
  try {
    return shapeOf(JSON.parse(data), 5);
  } catch {
    return data === '' || data === '[DONE]' ? data : 'text';
  }
}

function shapeOf(value: unknown, depth: number): string {
  if (value === null || value === '') return String(value);
  if (typeof value !== 'object' || depth === 0) return typeof value;
  if (Array.isArray(value)) return `[${value.length === 0 ? '' : shapeOf(value[0], depth - 1)}]`;
  if (!isJsonObject(value)) return 'object';
  const members = Object.keys(value).toSorted();
  return `{${members
    .slice(0, 20)
    .map((name) => `${name}:${shapeOf(value[name], depth - 1)}`)
    .join(',')}}`;
}
