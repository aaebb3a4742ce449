import { difference } from '../evidence/show-exchange.ts';
import type { Exchange, SentRequest } from '../model/exchange.ts';
import type { Finding } from '../model/ruling.ts';
import type { Trial } from '../model/stimulus.ts';
import type { TargetInfo } from '../model/target.ts';
import { isJsonObject, jsonText, parseJson, valueAt } from '../reading/json.ts';
import { answerKind, answerShape } from './answer-shape.ts';

/** How a check ruled on one kind of input: what a diagnosis starts from. */
export interface Symptom {
  readonly check: string;
  /** What was sent, in words that are the same for every target. */
  readonly input: string;
  /** Absent: it held. */
  readonly failed?: Failed;
}

export interface Failed {
  /** What was wrong, in our words. */
  readonly kind: string;
  /** What the answer was, in words that are the same for every target. */
  readonly answer: string;
  /** What it looked like: equal only where a target names things as another does. */
  readonly shape: string;
}

/** What a check found in a run. An invariant knows the trials in which it failed, and how often it held. */
export interface Judged {
  readonly id: string;
  readonly isInvariant: boolean;
  readonly failures: readonly { readonly finding: Finding; readonly trial: Trial }[];
  readonly heldIn: readonly Trial[];
  readonly held: number;
}

/** Every symptom of a run, each pair of check and input once: it failed where it failed once. */
export function symptomsOf(
  judged: readonly Judged[],
  record: readonly Exchange[],
  info: TargetInfo,
): readonly Symptom[] {
  const sent = [...new Set(record.filter(wasAnswered).map(sourceOf))];
  return judged.flatMap((each) =>
    each.isInvariant ? ofInvariant(each, sent) : ofCheck(each, namesOf(info)),
  );
}

function wasAnswered({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered';
}

/** An invariant judges what others provoke: its inputs are their stimuli. */
function ofInvariant({ id, failures, held }: Judged, sent: readonly string[]): readonly Symptom[] {
  const failed = failures.flatMap(({ finding, trial: { exchanges } }): Symptom[] => {
    const [exchange] = exchanges;
    return exchange === undefined ? [] : [symptom(id, sourceOf(exchange), finding, exchange)];
  });
  const broken = new Set(failed.map(({ input }) => input));
  const sound = failed.length + held === 0 ? [] : sent.filter((input) => !broken.has(input));
  return [...firstOfEachInput(failed), ...sound.map((input) => ({ check: id, input }))];
}

function ofCheck({ id, failures, heldIn }: Judged, names: Names): readonly Symptom[] {
  const failed = failures.flatMap(({ finding, trial }): Symptom[] => {
    const shown = trial.exchanges[finding.exchange ?? 0] ?? trial.exchanges[0];
    return shown === undefined ? [] : [symptom(id, inputOf(trial, names), finding, shown)];
  });
  const held = heldIn.map((trial) => ({ check: id, input: inputOf(trial, names) }));
  return firstOfEachInput([...failed, ...held]);
}

function symptom(check: string, input: string, finding: Finding, exchange: Exchange): Symptom {
  return {
    check,
    input,
    failed: { kind: kindOf(finding), answer: answerKind(exchange), shape: answerShape(exchange) },
  };
}

function firstOfEachInput(all: readonly Symptom[]): readonly Symptom[] {
  return [...Map.groupBy(all, ({ input }) => input).values()].flatMap(([first]) => first ?? []);
}

/** The stimulus that sent an exchange. */
function sourceOf({ id, request }: Exchange): string {
  return `${id.split('/', 1)[0]}${asksForStream(request) ? ' in a stream' : ''}`;
}

function asksForStream({ body }: SentRequest): boolean {
  return body !== undefined && /"stream"\s*:\s*true/.test(Buffer.from(body).toString('latin1'));
}

const LONGEST_TEXT = 60;

/** Places in an answer that the specification names: all others have the names of one target. */
const NAMED_PLACE = /^\/choices\b/;

/** A finding without what differs from run to run, from target to target, and between an answer whole or streamed. */
function kindOf({ code, path = '', actual, exchange = 0 }: Finding): string {
  const said = actual
    .replaceAll(/"[^"]*"|'[^']*'/g, '')
    .replace(/[{[<].*$/s, '')
    .replace(/,? as in .*$/s, '')
    .replace(/ with (?:a completion|an event stream)$/, '')
    .replace(/; charset=[\w-]+/, '')
    .slice(0, LONGEST_TEXT);
  const words = [code, ...(NAMED_PLACE.test(path) ? [path] : []), said.trim()];
  const place = exchange === 0 ? [] : [`in exchange ${exchange}`];
  return [words.join(' ').replaceAll(/-?\d+/g, '0').trim(), ...place].join(' ');
}

/** IDs of models and what stands for them. The longest first: one may be a part of another. */
type Names = readonly (readonly [id: string, name: string])[];

function namesOf({ models: [own, ...others] }: TargetInfo): Names {
  const names = others.map(({ id }) => [id, 'OTHER'] as const);
  return [[own.id, 'MODEL'] as const, ...names].toSorted(([one], [other]) => other.length - one.length);
}

/** What was sent: where it differs from its counterpart, or its options. */
function inputOf({ exchanges, counterpart }: Trial, names: Names): string {
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
  return names.reduce((said, [id, name]) => said.replaceAll(id, name), text);
}

function differenceOf(one: Exchange, other: Exchange, names: Names): string {
  const at = difference(one, other);
  const reading = parseJson(one.request.body ?? new Uint8Array());
  const value = at.startsWith('/') && reading.kind === 'json' ? valueAt(reading.value, at) : undefined;
  const said = value === undefined ? '' : ` ${ends(jsonText(value))}`;
  const bytes = reading.kind === 'json' ? '' : ` ${bytesOf(one.request, names)}`;
  return `${at}${said}${bytes}${asksForStream(one.request) ? ' in a stream' : ''}`;
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
