import { notServed } from '../engine/inputs/judging/is-served.ts';
import type { Answer, Exchange } from '../engine/model/exchange.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, endpointOf, isSuccess, sentChat } from '../engine/reading/answers.ts';
import { readCompletion } from '../engine/reading/completions/read-completion.ts';
import { isJsonObject } from '../engine/reading/json.ts';
import type { StreamEvent } from '../engine/reading/read-events.ts';
import { isEventStreamType, readStream, type StreamReading } from '../engine/reading/streams/read-stream.ts';

/** A model that completes sooner shows nothing about its delivery. */
export const MIN_DURATION_MS = 60;

/** A buffered text arrives within a smaller share of the time the model takes. */
export const BUFFERED_SHARE = 0.1;

/** A busy machine lets a process wait for as long, now and then: what arrives meanwhile seems to arrive at once. */
const LONGEST_STALL_MS = 250;

/** So many pauses of one delivery may be no more than that. */
const STALLS = 2;

/** Pieces that arrive closer together are one burst. */
const SAME_BURST_MS = 5;

/** A head is about as long as this. */
const HEAD_BYTES = 200;

/** Of an initial window of two segments (RFC 2581): what a server sends before it waits for the first acknowledgement. */
const LEAST_WINDOW_BYTES = 2800;

/** How the result of one stream arrived; times in milliseconds since its request left. */
export interface Delivery {
  /** Which of the exchanges it is. */
  readonly place: number;
  readonly model: unknown;
  /** The first piece of the result, and the last piece of text. */
  readonly first: number;
  readonly last: number;
  /** Of the body: all of it, and what had arrived with the first piece of the result. */
  readonly bytes: number;
  readonly firstBytes: number;
  /** Characters of text. */
  readonly length: number;
  /** The length of the body was in the head, so the whole was ready before its first byte left. */
  readonly isDeclared: boolean;
  /** Of the bursts before the last, how many end at the end of an event, and how many inside one. */
  readonly atEvents: number;
  readonly insideEvents: number;
  /** How long it was held up, at most, by processes that had to wait. */
  readonly stalledMs: number;
}

/** The deliveries of the streams among these exchanges. */
export function deliveriesIn(exchanges: readonly Exchange[], info: TargetInfo): readonly Delivery[] {
  return exchanges.flatMap((exchange, place) => {
    if (sentChat(exchange.request)?.['stream'] !== true || notServed(exchange, info) !== undefined) return [];
    const answer = answerOf(exchange);
    const times = isEventStreamType(answer) ? timesOf(readStream(answer, info)) : undefined;
    if (times === undefined) return [];
    const model = sentChat(exchange.request)?.['model'];
    const firstBytes = answer.pieces.findLast(({ at }) => at <= times.first)?.upTo ?? 0;
    const bytes = { bytes: answer.body.length, firstBytes };
    const isDeclared = declaresLength(exchange);
    const stalledMs = stallsIn(answer, times);
    return [{ place, model, ...times, ...bytes, isDeclared, ...pausesIn(answer), stalledMs }];
  });
}

/**
 * Undefined when the stream has no text. An event with choices belongs to the result even without text, such as the
 * one with the role; other early events, such as comments, do not.
 */
export function timesOf({
  events,
  text,
}: StreamReading): Pick<Delivery, 'first' | 'last' | 'length'> | undefined {
  const bearers = text?.textEvents ?? [];
  const [firstBearer] = bearers;
  const first = events.find((event) => event === firstBearer || holdsChoices(event));
  const last = bearers.at(-1);
  if (first === undefined || last === undefined || text === undefined) return undefined;
  return { first: first.at, last: last.at, length: text.text.length };
}

function holdsChoices({ json }: StreamEvent): boolean {
  return isJsonObject(json) && Array.isArray(json['choices']) && json['choices'].length > 0;
}

const EVENT_END = /(?:\r\n|\n|\r)(?:\r\n|\n|\r)$/;

/** A sender that waits for its model ends each burst with an event; one that waits for the network ends it anywhere. */
function pausesIn({ body, pieces }: Answer): Pick<Delivery, 'atEvents' | 'insideEvents'> {
  const ends = pieces.flatMap(({ at, upTo }, i) => {
    const next = pieces[i + 1];
    return next === undefined || next.at - at < SAME_BURST_MS ? [] : [upTo];
  });
  const isAtEvent = (upTo: number): boolean =>
    EVENT_END.test(Buffer.from(body.subarray(Math.max(0, upTo - 4), upTo)).toString('latin1'));
  const atEvents = ends.filter(isAtEvent).length;
  return { atEvents, insideEvents: ends.length - atEvents };
}

/** The longest pauses between the first piece of the result and the last. */
function stallsIn({ pieces }: Answer, { first, last }: Pick<Delivery, 'first' | 'last'>): number {
  const times = pieces.map(({ at }) => at).filter((at) => at >= first && at <= last);
  const pauses = times.slice(1).map((at, i) => Math.min(LONGEST_STALL_MS, at - (times[i] ?? at)));
  const longest = pauses.toSorted((one, other) => other - one).slice(0, STALLS);
  return longest.reduce((sum, pause) => sum + pause, 0);
}

/** Whether the head says how long the body is. */
export function declaresLength({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered' && outcome.answer.headers['content-length'] !== undefined;
}

/** Whether streams that arrived at once, whose models took so long, were buffered: one may have come while this process slept. */
export function showBuffered(modelTimes: readonly number[]): boolean {
  return modelTimes.length > 1 || modelTimes.some((ms) => ms >= LONGEST_STALL_MS);
}

/** Whether the model took long enough; `quickest`: what the shortest answer takes. */
export function isLongEnough({ outcome }: Exchange, quickest: number): boolean {
  return outcome.kind === 'answered' && outcome.answer.endedAt - quickest >= MIN_DURATION_MS;
}

/** Whether the whole body arrived in so small a share of the time that it must have been buffered. */
export function arrivedAtOnce({ outcome }: Exchange, quickest: number): boolean {
  if (outcome.kind !== 'answered') return false;
  const { pieces, endedAt } = outcome.answer;
  const [first] = pieces;
  return first !== undefined && endedAt - first.at < BUFFERED_SHARE * (endedAt - quickest);
}

/** The quickest answer to a GET: a bound of how long the network takes for so many bytes. */
export interface Quickest {
  readonly ms: number;
  /** Infinity where nothing is known: the network may be as slow as it likes. */
  readonly msPerByte: number;
}

export function quickestOf(exchanges: readonly Exchange[]): Quickest {
  const reads = exchanges.flatMap(({ request, outcome }) =>
    endpointOf(request) === 'models' && outcome.kind === 'answered' ? [outcome.answer] : [],
  );
  if (reads.length === 0) return { ms: 0, msPerByte: Infinity };
  const perByte = reads.map(({ endedAt, body }) => endedAt / (body.length + HEAD_BYTES));
  return { ms: Math.min(...reads.map(({ endedAt }) => endedAt)), msPerByte: Math.min(...perByte) };
}

/** The most that the network needs for a byte, as the quickest answer and the stream itself show it. */
export function msPerByteOf({ first, last, bytes, firstBytes }: Delivery, { msPerByte }: Quickest): number {
  return Math.min(msPerByte, (last - first) / Math.max(1, bytes - firstBytes));
}

/** How long the network spreads so many bytes at most: by slow start, and by its bandwidth. */
export function networkSpread(bytes: number, { ms, msPerByte }: Quickest): number {
  const rounds = Math.ceil(Math.log2(bytes / LEAST_WINDOW_BYTES + 1)) - 1;
  return ms * Math.max(0, rounds) + bytes * msPerByte;
}

/** How long a model took for a whole answer. */
export interface WholeAnswer {
  readonly model: unknown;
  /** When its body began. */
  readonly first: number;
  /** How many bytes had arrived then, with the head. */
  readonly bytes: number;
  /** Characters of text. */
  readonly length: number;
}

/** The whole answers among these exchanges. */
export function wholeAnswersIn(exchanges: readonly Exchange[], info: TargetInfo): readonly WholeAnswer[] {
  return exchanges.flatMap((exchange) => {
    const { request, outcome } = exchange;
    const chat = sentChat(request);
    if (chat === undefined || chat['stream'] === true || outcome.kind !== 'answered') return [];
    const { answer } = outcome;
    const text = isSuccess(answer) ? readCompletion(answer, info)?.choices?.[0]?.text : undefined;
    const [first] = answer.pieces;
    if (text === undefined || first === undefined) return [];
    const bytes = HEAD_BYTES + first.upTo;
    return [{ model: chat['model'], first: first.at, bytes, length: text.length }];
  });
}
