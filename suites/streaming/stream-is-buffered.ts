import { check, type Judgement } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, notExercised, proxyDoubt, violated, shownBy } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { asksForStream } from '../engine/reading/answers.ts';
import { describeAnswer, dispositionOf } from '../engine/reading/errors/disposition.ts';
import {
  areBuffered,
  arrivedAtOnce,
  BUFFERED_SHARE,
  deliveriesIn,
  type Delivery,
  isLongEnough,
  LONGEST_STALL_MS,
  MIN_DURATION_MS,
} from './delivery.ts';
import { longStreams, type LongTrial } from './long-streams.ts';

const TRICKLING_SHARE = 0.25;

/** A single delay in the network, or in this process. */
const HICCUP_MS = 30;

/** A whole answer that begins so little later than a stream may only have been held up. */
const EARLIER_MS = 100;

/** A text that begins before this share of the time that a whole answer takes was not complete. */
const EARLY_SHARE = 0.5;

/** From this share on it may have been complete. */
const LATE_SHARE = 0.8;

const isBuffered: Judgement<LongTrial> = ({ exchanges, sleptMs }, info) => {
  const all = deliveriesIn(exchanges, info);
  if (all.length === 0) return notExercised(whyNoStream(exchanges, info));
  if (sleptMs !== undefined)
    return all.some((each) => cameAtOnce(each, sleptMs)) ? HOLDS : notExercised(UNTOLD_BESIDE);
  if (areBuffered(all)) return HOLDS;
  const streams = all.filter(isLongEnough);
  const [best] = streams.toSorted((one, other) => one.share - other.share);
  if (best === undefined) return inconclusive(tooFast(all));
  if (arrivedAtOnce(best)) return inconclusive(`${arrivalOf(best)}, ${SLEPT}`);
  if (streams.some(isHeldUp)) return HOLDS;
  const mayBeBuffered = all.some((each) => each.model === best.model && arrivesTogether(each));
  const actual = mayBeBuffered ? undefined : trickles(best, streams);
  return actual === undefined
    ? inconclusive(`${arrivalOf(best)}, ${UNTOLD}`)
    : shownBy(best.place, violated('trickles', EXPECTED, actual));
};

function whyNoStream(exchanges: readonly Exchange[], info: TargetInfo): string {
  const streams = exchanges.filter(({ request }) => asksForStream(request));
  const last = streams.at(-1);
  return last !== undefined && streams.every((each) => dispositionOf(each, info) === 'refused')
    ? `every stream that is long enough to judge was refused: ${describeAnswer(last, info)}`
    : 'no event stream with recognised text was served: see STR-1 and STR-3';
}

const AGAIN = 'run it again when the machine and the network are less busy';
const UNTOLD = `and nothing shows whether the model or the network was slow: ${AGAIN}`;
const UNTOLD_BESIDE = 'a stream arrived in parts while other requests were in flight, which decides nothing';
const SLEPT = `but no other stream arrived in one piece, and this machine may have been too busy to see the first part: ${AGAIN}`;

export const streamIsBuffered = check({
  id: 'stream-is-buffered',
  clauses: ['STR-2'],
  title: 'emits no part of a stream before the model has completed',
  given: longStreams,
  thresholds: {
    'ms that the model must take': MIN_DURATION_MS,
    'share of that time within which a buffered text arrives': BUFFERED_SHARE,
    'ms that the model must take if there is only one such stream': LONGEST_STALL_MS,
    'share of the time of a whole answer before which no buffered text begins': EARLY_SHARE,
    'ms by which a text must begin earlier than that answer to count as early': EARLIER_MS,
    'ms between parts that may be a network delay': HICCUP_MS,
  },
  holds: (trial, info) => {
    const ruling = isBuffered(trial, info);
    // What trickles through was not buffered by anybody; what arrives at once may have been buffered on its way.
    return ruling.kind === 'holds' && info.bufferedBy !== undefined
      ? inconclusive(proxyDoubt(info.bufferedBy, 'held the streams back until they were complete'))
      : ruling;
  },
});

function tooFast(streams: readonly Delivery[]): string {
  const longest = Math.max(0, ...streams.map(({ modelMs }) => modelMs));
  return `every stream ended too soon to judge, since the longest took ${Math.round(longest)} ms beyond the network, and a verdict needs ${MIN_DURATION_MS} ms`;
}

/**
 * Whether it was buffered even if it began as much earlier as this process may have slept. The service may have let it wait
 * for the others: beside them no more than a hiccup may lie between its parts, however long it took.
 */
function cameAtOnce(stream: Delivery, sleptMs: number): boolean {
  const spread = spreadOf(stream);
  if (spread >= HICCUP_MS || !areBuffered([stream])) return false;
  return spread + sleptMs <= TRICKLING_SHARE * stream.modelMs;
}

/** Whether so much of it arrived together that somebody may have buffered it, however quick it was. */
function arrivesTogether(stream: Delivery): boolean {
  return spreadOf(stream) <= TRICKLING_SHARE * Math.max(0, stream.modelMs);
}

/** Whether it begins when a whole answer would, and then waits for the network, inside its events. */
function isHeldUp({ insideEvents, atEvents, earliestMs, wholes }: Delivery): boolean {
  const whole = Math.max(...wholes.map(({ begunMs }) => begunMs));
  return insideEvents > atEvents && whole >= MIN_DURATION_MS && earliestMs >= LATE_SHARE * whole;
}

const EXPECTED = 'the whole text in one piece, after the model has completed';

/** How the stream that looks most buffered trickled; undefined where that does not hold of every stream. */
function trickles(best: Delivery, streams: readonly Delivery[]): string | undefined {
  if (spreadOf(best) < HICCUP_MS) return undefined;
  const compared = streams.filter(({ wholes }) => wholes.length > 0);
  const isEarly = compared.length > 0 && compared.every(beginsEarly);
  if (!isEarly && !streams.every(isUnexplained)) return undefined;
  const whole = Math.min(...compared.flatMap(({ wholes }) => wholes.map(({ first }) => first)));
  const compare = isEarly ? `, where a whole answer began after ${Math.round(whole)} ms` : '';
  return `${arrivalOf(best)}${compare}`;
}

function beginsEarly({ begunMs, wholes }: Delivery): boolean {
  const least = Math.min(...wholes.map(({ tookMs }) => tookMs));
  return begunMs < EARLY_SHARE * least && least - begunMs > EARLIER_MS;
}

/** Whether no network as quick as this one spreads a body so far, nor a busy machine, and every pause comes at the end of an event. */
function isUnexplained(stream: Delivery): boolean {
  const { explainedMs, atEvents, insideEvents } = stream;
  return spreadOf(stream) > explainedMs + HICCUP_MS && atEvents >= 4 * insideEvents;
}

function spreadOf({ first, last }: Delivery): number {
  return last - first;
}

function arrivalOf({ first, last }: Delivery): string {
  return `the first part of it after ${Math.round(first)} of ${Math.round(last)} ms`;
}
