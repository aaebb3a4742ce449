import { notServed } from '../engine/inputs/judging/is-served.ts';
import type { Answer, Exchange } from '../engine/model/exchange.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { endpointOf, isSuccess, sentChat } from '../engine/reading/answers.ts';
import { readCompletion } from '../engine/reading/completions/read-completion.ts';
import { isJsonObject } from '../engine/reading/json.ts';
import type { StreamEvent } from '../engine/reading/read-events.ts';
import { isEventStreamType, readStream, type StreamReading } from '../engine/reading/streams/read-stream.ts';

/** A model that completes sooner shows nothing about its delivery. */
export const MIN_DURATION_MS = 60;

/** A buffered text arrives within a smaller share of the time the model takes. */
export const BUFFERED_SHARE = 0.1;

/** A busy machine lets a process wait for as long, now and then: what arrives meanwhile seems to arrive at once. */
export const LONGEST_STALL_MS = 250;

/** So many pauses of one delivery may be no more than that. */
const STALLS = 2;

/** Pieces that arrive closer together are one burst. */
const SAME_BURST_MS = 5;

/** A head is about as long as this. */
const HEAD_BYTES = 200;

/** Of an initial window of two segments (RFC 2581): what a server sends before it waits for the first acknowledgement. */
const LEAST_WINDOW_BYTES = 2800;

/** How the result of one stream arrived; times in milliseconds. */
export type Delivery = ReturnType<typeof deliveriesIn>[number];

/** The deliveries of the streams among these exchanges, beside the quickest reads and the whole answers among them. */
export function deliveriesIn(exchanges: readonly Exchange[], info: TargetInfo) {
  const quickest = quickestOf(exchanges);
  return exchanges.flatMap((exchange, place) => {
    const { outcome, request } = exchange;
    const { stream, model } = sentChat(request) ?? {};
    if (stream !== true || outcome.kind !== 'answered' || notServed(exchange, info) !== undefined) return [];
    const { answer } = outcome;
    const times = isEventStreamType(answer) ? timesOf(readStream(answer, info)) : undefined;
    if (times === undefined) return [];
    const { first, last, length } = times;
    const firstBytes = answer.pieces.findLast(({ at }) => at <= first)?.upTo ?? 0;
    const bytes = answer.body.length;
    // The most that the network needs for a byte, as the quickest answer and the stream itself show it.
    const msPerByte = Math.min(quickest.msPerByte, (last - first) / Math.max(1, bytes - firstBytes));
    const network = { ms: quickest.ms, msPerByte };
    const modelMs = last - quickest.ms;
    return {
      /** Which of the exchanges it is. */
      place,
      model,
      /** The first piece of the result and the last piece of text, since its request left. */
      first,
      last,
      /** What the network cannot have taken. */
      modelMs,
      /** The share of that time over which the result arrived: near 0 when it was buffered. */
      share: (last - first) / modelMs,
      /** The length of the body was in the head, so the whole was ready before its first byte left. */
      isDeclared: answer.headers['content-length'] !== undefined,
      ...pausesIn(answer),
      /** How long the network, and processes that had to wait, spread its body at most. */
      explainedMs: networkSpread(bytes, quickest) + stallsIn(answer, first, last),
      /** When it began, and when at the earliest: beyond what the network takes for any answer, or for those bytes. */
      begunMs: first - quickest.ms,
      earliestMs: first - quickest.ms - networkSpread(firstBytes, network),
      wholes: exchanges.flatMap((each) => wholeAnswer(each, { model, length, network }, info)),
    };
  });
}

/** Whether the model took long enough to show anything. */
export function isLongEnough({ modelMs }: Delivery): boolean {
  return modelMs >= MIN_DURATION_MS;
}

/** Whether it arrived within so small a share of the time that it must have been buffered, or while this process slept. */
export function arrivedAtOnce(stream: Delivery): boolean {
  return isLongEnough(stream) && stream.share < BUFFERED_SHARE;
}

/** Whether somebody buffered these streams for certain: this process cannot have slept through the first part of each. */
export function areBuffered(streams: readonly Delivery[]): boolean {
  const atOnce = streams.filter(arrivedAtOnce);
  return (
    streams.some(({ isDeclared }) => isDeclared) ||
    atOnce.length > 1 ||
    atOnce.some(({ modelMs }) => modelMs >= LONGEST_STALL_MS)
  );
}

/**
 * Undefined when the stream has no text. An event with choices belongs to the result even without text, such as the
 * one with the role; other early events, such as comments, do not.
 */
function timesOf({ events, text }: StreamReading) {
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

/**
 * Of the bursts before the last, how many end at the end of an event, and how many inside one: a sender that waits for its
 * model ends each burst with an event; one that waits for the network ends it anywhere.
 */
function pausesIn({ body, pieces }: Answer) {
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
function stallsIn({ pieces }: Answer, first: number, last: number): number {
  const times = pieces.map(({ at }) => at).filter((at) => at >= first && at <= last);
  const pauses = times.slice(1).map((at, i) => Math.min(LONGEST_STALL_MS, at - (times[i] ?? at)));
  const longest = pauses.toSorted((one, other) => other - one).slice(0, STALLS);
  return longest.reduce((sum, pause) => sum + pause, 0);
}

/** The quickest answer to a GET: a bound of how long the network takes for so many bytes. */
interface Quickest {
  readonly ms: number;
  /** Infinity where nothing is known: the network may be as slow as it likes. */
  readonly msPerByte: number;
}

function quickestOf(exchanges: readonly Exchange[]): Quickest {
  const reads = exchanges.flatMap(({ request, outcome }) =>
    endpointOf(request) === 'models' && outcome.kind === 'answered' ? [outcome.answer] : [],
  );
  if (reads.length === 0) return { ms: 0, msPerByte: Infinity };
  const perByte = reads.map(({ endedAt, body }) => endedAt / (body.length + HEAD_BYTES));
  return { ms: Math.min(...reads.map(({ endedAt }) => endedAt)), msPerByte: Math.min(...perByte) };
}

/** How long the network spreads so many bytes at most: by slow start, and by its bandwidth. */
function networkSpread(bytes: number, { ms, msPerByte }: Quickest): number {
  const rounds = Math.ceil(Math.log2(bytes / LEAST_WINDOW_BYTES + 1)) - 1;
  return ms * Math.max(0, rounds) + bytes * msPerByte;
}

function wholeAnswer(
  { request, outcome }: Exchange,
  stream: { readonly model: unknown; readonly length: number; readonly network: Quickest },
  info: TargetInfo,
) {
  const { length, network } = stream;
  const chat = sentChat(request);
  if (chat?.['model'] !== stream.model || chat?.['stream'] === true || outcome.kind !== 'answered') return [];
  const { answer } = outcome;
  const text = isSuccess(answer) ? readCompletion(answer, info)?.choices?.[0]?.text : undefined;
  const [piece] = answer.pieces;
  if (text === undefined || piece === undefined) return [];
  const waitedMs = (HEAD_BYTES + piece.upTo) * network.msPerByte;
  const part = Math.min(1, length / Math.max(1, text.length));
  // When its body began, since its request left, and the same beyond the network.
  const [first, begunMs] = [piece.at, piece.at - network.ms];
  // `tookMs`: how long the model takes at least for a text as long as that of the stream.
  return [{ first, begunMs, tookMs: (begunMs - waitedMs) * part }];
}
