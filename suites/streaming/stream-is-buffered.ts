import { check, type Judgement } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated, shownBy } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { sentChat } from '../engine/reading/answers.ts';
import { describeAnswer, dispositionOf } from '../engine/reading/errors/disposition.ts';
import {
  BUFFERED_SHARE,
  deliveriesIn,
  type Delivery,
  MIN_DURATION_MS,
  msPerByteOf,
  networkSpread,
  showBuffered,
  type Quickest,
  quickestOf,
  type WholeAnswer,
  wholeAnswersIn,
} from './delivery.ts';
import { longStreams } from './long-streams.ts';

const TRICKLING_SHARE = 0.25;

/** A single delay in the network, or in this process. */
const HICCUP_MS = 30;

/** A whole answer that begins so little later than a stream may only have been held up. */
const EARLIER_MS = 100;

/** A text that begins before this share of the time that a whole answer takes was not complete. */
const EARLY_SHARE = 0.5;

/** From this share on it may have been complete. */
const LATE_SHARE = 0.8;

const isBuffered: Judgement = ({ exchanges }, info) => {
  const all = deliveriesIn(exchanges, info);
  if (all.length === 0) return notExercised(whyNoStream(exchanges, info));
  if (all.some(({ isDeclared }) => isDeclared)) return HOLDS;
  const quickest = quickestOf(exchanges);
  const streams = all.filter((each) => modelTime(each, quickest) >= MIN_DURATION_MS);
  const [best] = streams.toSorted((one, other) => shareOf(one, quickest) - shareOf(other, quickest));
  if (best === undefined) return inconclusive(tooFast(all, quickest));
  const atOnce = streams.filter((each) => shareOf(each, quickest) < BUFFERED_SHARE);
  if (showBuffered(atOnce.map((each) => modelTime(each, quickest)))) return HOLDS;
  if (atOnce.length > 0) return inconclusive(`${arrivalOf(best)}: ${SLEPT}`);
  const wholes = wholeAnswersIn(exchanges, info);
  if (streams.some((each) => isHeldUp(each, wholes, quickest))) return HOLDS;
  if (all.some((each) => each.model === best.model && arrivesTogether(each, quickest)))
    return inconclusive(`${arrivalOf(best)}: ${UNTOLD}`);
  const ruling = trickles(best, streams, wholes, quickest);
  return ruling === undefined ? inconclusive(`${arrivalOf(best)}: ${UNTOLD}`) : shownBy(best.place, ruling);
};

function whyNoStream(exchanges: readonly Exchange[], info: TargetInfo): string {
  const streams = exchanges.filter(({ request }) => sentChat(request)?.['stream'] === true);
  const last = streams.at(-1);
  return last !== undefined && streams.every((each) => dispositionOf(each, info) === 'refused')
    ? `every stream that is long enough to judge was refused: ${describeAnswer(last, info)}`
    : 'no event stream with recognised text was served: see STR-1 and STR-3';
}

const AGAIN = 'run it again where machine and network are less busy';
const UNTOLD = `neither whole answers nor the pieces show whether the model wrote so slowly or the network: ${AGAIN}`;
const SLEPT = `no other stream arrived at once, and this machine may have been too busy to see the first part: ${AGAIN}`;

export const streamIsBuffered = check({
  id: 'stream-is-buffered',
  clauses: ['STR-2'],
  title: 'emits no part of a stream before the model has completed',
  given: longStreams,
  holds: (trial, info) => {
    const ruling = isBuffered(trial, info);
    // What trickles through was not buffered by anybody; what arrives at once may have been buffered on its way.
    return ruling.kind === 'holds' && info.bufferedBy !== undefined
      ? bufferedOnItsWay(info.bufferedBy)
      : ruling;
  },
});

function bufferedOnItsWay(by: string): Ruling {
  return inconclusive(
    `${by} may have held the streams back until they were complete: go past it with --no-proxy, or use https`,
  );
}

function tooFast(streams: readonly Delivery[], quickest: Quickest): string {
  const longest = Math.max(...streams.map((each) => modelTime(each, quickest)));
  const took = `the longest took ${Math.max(0, Math.round(longest))} ms beyond the network`;
  return `every stream ended too soon to judge: ${took}, and a verdict needs ${MIN_DURATION_MS} ms: --max-output-tokens asks for longer ones`;
}

/** What the network cannot have taken. */
function modelTime({ last }: Delivery, { ms }: Quickest): number {
  return last - ms;
}

function spreadOf({ first, last }: Delivery): number {
  return last - first;
}

/** The share of the time over which the result arrived: near 0 when it was buffered. */
function shareOf(stream: Delivery, quickest: Quickest): number {
  return spreadOf(stream) / modelTime(stream, quickest);
}

/** Whether so much of it arrived together that somebody may have buffered it, however quick it was. */
function arrivesTogether(stream: Delivery, quickest: Quickest): boolean {
  return spreadOf(stream) <= TRICKLING_SHARE * Math.max(0, modelTime(stream, quickest));
}

/** Whether it begins when a whole answer would, and then waits for the network, inside its events. */
function isHeldUp(stream: Delivery, wholes: readonly WholeAnswer[], quickest: Quickest): boolean {
  if (stream.insideEvents <= stream.atEvents) return false;
  const times = wholes.filter(({ model }) => model === stream.model).map(({ first }) => first - quickest.ms);
  const whole = Math.max(...times);
  const waited = networkSpread(stream.firstBytes, {
    ms: quickest.ms,
    msPerByte: msPerByteOf(stream, quickest),
  });
  return whole >= MIN_DURATION_MS && stream.first - quickest.ms - waited >= LATE_SHARE * whole;
}

/** How long the model takes at least for a text as long as that of the stream, as each whole answer shows it. */
function wholeTimes(stream: Delivery, wholes: readonly WholeAnswer[], quickest: Quickest): readonly number[] {
  const perByte = msPerByteOf(stream, quickest);
  return wholes
    .filter(({ model }) => model === stream.model)
    .map(({ first, bytes, length }) => {
      const part = Math.min(1, stream.length / Math.max(1, length));
      return (first - quickest.ms - bytes * perByte) * part;
    });
}

/** Judges the stream that looks most buffered, and blames only what holds of every stream. */
function trickles(
  best: Delivery,
  streams: readonly Delivery[],
  wholes: readonly WholeAnswer[],
  quickest: Quickest,
): Ruling | undefined {
  if (spreadOf(best) < HICCUP_MS) return undefined;
  const compared = streams.filter((each) => wholeTimes(each, wholes, quickest).length > 0);
  const isEarly = compared.length > 0 && compared.every((each) => beginsEarly(each, wholes, quickest));
  if (!isEarly && !streams.every((each) => isUnexplained(each, quickest))) return undefined;
  const whole = Math.min(...wholes.map(({ first }) => first));
  const compare = isEarly ? `, where a whole answer began after ${Math.round(whole)} ms` : '';
  return violated('trickles', EXPECTED, `${arrivalOf(best)}${compare}`);
}

const EXPECTED = 'the whole text at once, after the model has completed';

function beginsEarly(stream: Delivery, wholes: readonly WholeAnswer[], quickest: Quickest): boolean {
  const least = Math.min(...wholeTimes(stream, wholes, quickest));
  const begun = stream.first - quickest.ms;
  return begun < EARLY_SHARE * least && least - begun > EARLIER_MS;
}

/** Whether no network as quick as this one spreads a body so far, nor a busy machine, and every pause comes at the end of an event. */
function isUnexplained(stream: Delivery, quickest: Quickest): boolean {
  const most = networkSpread(stream.bytes, quickest) + stream.stalledMs + HICCUP_MS;
  return spreadOf(stream) > most && stream.atEvents >= 4 * stream.insideEvents;
}

function arrivalOf({ first, last }: Delivery): string {
  return `the first part of it after ${Math.round(first)} of ${Math.round(last)} ms`;
}
