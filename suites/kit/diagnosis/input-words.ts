import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import { difference } from '../evidence/show-exchange.ts';
import type { Exchange, SentRequest } from '../model/exchange.ts';
import type { Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { isJsonObject, jsonText, parseJson, valueAt } from '../reading/json.ts';

const LONGEST_TEXT = 60;

export function asksForStream({ body }: SentRequest): boolean {
  return body !== undefined && /"stream"\s*:\s*true/.test(Buffer.from(body).toString('latin1'));
}

/** What stands for what only one target has. */
export interface Names {
  /** For the IDs of models. The longest first: one may be a part of another. */
  readonly models: readonly (readonly [id: string, name: string])[];
  /** For sizes of contexts, in tokens. */
  readonly contexts: readonly number[];
}

export function namesOf({ models }: TargetInfo): Names {
  const [own] = models;
  const names = models.map((each) => [each.id, each === own ? 'MODEL' : 'OTHER'] as const);
  return {
    models: names.toSorted(([one], [other]) => other.length - one.length),
    contexts: models.flatMap(({ contextTokens }) => contextTokens ?? []),
  };
}

/** Respellings of an ID that do not hold it. */
const RESPELT: readonly (readonly [name: string, respell: (id: string) => string])[] = [
  ['in upper case', (id) => id.toUpperCase()],
  ['in lower case', (id) => id.toLowerCase()],
  ['without its end', (id) => id.slice(0, -1)],
  ['without its beginning', (id) => id.slice(1)],
  ['with underscores', (id) => id.replaceAll('-', '_')],
];

function respelling(text: string, { models }: Names): string | undefined {
  if (models.some(([id]) => id === text)) return undefined;
  for (const [id, name] of models)
    for (const [how, respell] of RESPELT) if (respell(id) === text) return `${name} ${how}`;
  return undefined;
}

/** An amount that was chosen by the size of a context. */
function partOfContext(tokens: number, { contexts }: Names): string | undefined {
  if (contexts.includes(tokens)) return 'CONTEXT';
  return contexts.some((size) => tokens < size && tokens > size / 2) ? 'most of CONTEXT' : undefined;
}

/** What was sent: where it differs from its counterpart, or its options. */
export function inputOf({ exchanges, counterpart }: Trial, names: Names): string {
  const [first] = exchanges;
  if (first === undefined) return '';
  const { request } = first;
  const words = counterpart === undefined ? optionsOf(request) : differenceOf(first, counterpart, names);
  const place = request.path === '/chat/completions' ? '' : ` at ${request.method} ${request.path}`;
  return named(words + place, names)
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'UUID')
    .slice(0, 2 * LONGEST_TEXT);
}

function named(text: string, names: Names): string {
  return names.models.reduce((said, [id, name]) => said.replaceAll(id, name), text);
}

/** What other keys stand in place of is hardly ever another one. */
const USUAL_KEY = / in place of the primary key$/;

function differenceOf(one: Exchange, other: Exchange, names: Names): string {
  const at = difference(one, other).replace(USUAL_KEY, '');
  const reading = parseJson(one.request.body ?? new Uint8Array());
  const value = reading.kind === 'json' ? valueSent(reading.value, at) : undefined;
  const said = value === undefined ? '' : ` ${valueInWords(at, value, names)}`;
  const isText = reading.kind === 'no-json' && one.request.body !== undefined;
  const bytes = isText ? ` ${bytesOf(one.request, names)}` : '';
  return `${at}${said}${bytes}${asksForStream(one.request) ? ' in a stream' : ''}`;
}

/** The value at a place, or a whole body that is no object. */
function valueSent(body: JsonValue, at: string): JsonValue | undefined {
  if (at.startsWith('/')) return valueAt(body, at);
  return at === 'the whole body' && !isJsonObject(body) ? body : undefined;
}

function valueInWords(at: string, value: JsonValue, names: Names): string {
  const known =
    at === '/model' && typeof value === 'string'
      ? respelling(value, names)
      : at === '/max_tokens' && typeof value === 'number'
        ? partOfContext(value, names)
        : undefined;
  return known ?? ends(jsonText(value));
}

/** Of a long text, how it begins and ends. */
function ends(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 24)}…${text.slice(-20)}`;
}

/** Of a body that is not JSON: its first and its last characters, and about how long it is. */
function bytesOf({ body, headers }: SentRequest, names: Names): string {
  const text = Buffer.from(body ?? []).toString('latin1');
  const begin = named(text.slice(0, 2 * LONGEST_TEXT), names).slice(0, 16);
  const size = Math.round(Math.log2(text.length + 1));
  return JSON.stringify(`${headers['content-type'] ?? ''} ${begin}…${text.slice(-12)} ${size}`);
}

/** Of a chat: its options, the roles in it, and what kinds of content these have. */
function optionsOf({ body, credential, method }: SentRequest): string {
  const key = credential.kind === 'key' ? credential.name : credential.kind;
  const reading = parseJson(body ?? new Uint8Array());
  if (reading.kind !== 'json' || !isJsonObject(reading.value)) return `${method} ${key}`;
  const { model, messages, ...options }: Record<string, unknown> = {
    model: '',
    messages: [],
    ...reading.value,
  };
  const roles = Array.isArray(messages) ? messages.map(roleOf).join('') : typeof messages;
  const size = Math.round(Math.log2(body?.length ?? 1) / 2);
  return `${key} ${String(model)} ${roles} ${jsonText(options).slice(0, LONGEST_TEXT)} ${size}`;
}

function roleOf(message: unknown): string {
  const { role, content }: Record<string, unknown> = { role: '', content: '', ...Object(message) };
  return `${String(role).slice(0, 1)}${typeof content === 'string' ? '' : '+'}`;
}
