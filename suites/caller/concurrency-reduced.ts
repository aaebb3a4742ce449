import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './judge-caller.ts';
import { chatsAtService, isAfter } from './observed/chats.ts';
import { saysItCrashed } from './observed/crash-signs.ts';
import { numbered, violatedBy } from './observed/evidence.ts';
import { inFlightAt, mayHaveCrossed, mostInFlight, sentAfter } from './observed/in-flight.ts';
import type { CallerEnd, TimelineRequest, Timeline } from './observed/timeline.ts';
import { itemOf } from './observed/work.ts';

function isRateLimited({ outcome }: TimelineRequest): boolean {
  return outcome.kind === 'refused' && outcome.why === 'rate-limit';
}

/** When the caller got another answer than this error: a burst arrives one by one, so it has arrived until then. */
function burstEnd(
  { knownAt: refusedAt = Infinity }: TimelineRequest,
  chats: readonly TimelineRequest[],
): number {
  return chats.reduce((until, chat) => {
    const { knownAt = Infinity } = chat;
    return isRateLimited(chat) || knownAt <= refusedAt ? until : Math.min(until, knownAt);
  }, Infinity);
}

function leftItems(timeline: Timeline, chats: readonly TimelineRequest[]): boolean {
  const asked = new Set(chats.map((chat) => itemOf(timeline, chat)));
  return (
    chats.some((chat) => itemOf(timeline, chat) !== undefined) &&
    timeline.items.some(({ id }) => !asked.has(id))
  );
}

/**
 * The most in flight before: up to the refusal, or to the end of the burst that contains it. Of the burst, no more than
 * the caller was asked for: what it adds after the refusal does not count.
 */
function mostBefore(timeline: Timeline, refused: TimelineRequest): number {
  const chats = chatsAtService(timeline);
  const upTo = (time: number): number =>
    mostInFlight(
      timeline,
      chats.filter(({ arrivedAt }) => arrivedAt < time),
    );
  const burst = Math.min(upTo(burstEnd(refused, chats)), askedFor(timeline) ?? Infinity);
  return Math.max(upTo(refused.knownAt ?? 0), burst);
}

/** How many requests a caller was asked to have in flight, if it does its task. */
function askedFor(timeline: Timeline): number | undefined {
  const isOnTask = chatsAtService(timeline).some((chat) => itemOf(timeline, chat) !== undefined);
  return isOnTask ? timeline.atOnce : undefined;
}

/** A caller that stopped has nothing in flight; one that crashed did not choose to stop. */
function stopped(end: CallerEnd): Ruling {
  const isOrderly = end.kind === 'exited' && (end.code === 0 || !saysItCrashed(end.output));
  return isOrderly
    ? HOLDS
    : notExercised('no request followed the rate limit error, and the caller did not choose to stop');
}

/** What follows much later says nothing about the error. */
const MOST_JUDGED = 500;

/** What followed a rate limit error. */
interface Aftermath {
  readonly refused: TimelineRequest;
  /** The most in flight before. */
  readonly before: number;
  /** How many were in flight when each request arrived that was sent in the knowledge of the error. */
  readonly widths: readonly number[];
  /** Where in `widths` the refused requests were sent again; Infinity: never. A slot that waits seems to be free. */
  readonly resent: readonly number[];
}

function aftermathOf(timeline: Timeline, refused: TimelineRequest): Aftermath {
  const chats = chatsAtService(timeline);
  const first = chats.filter(isRateLimited).map((one) => sentAfter(timeline, one)[0]);
  const resends = new Set(first);
  const later = chats
    .filter(
      (chat) => isAfter(chat, refused) && (resends.has(chat) || !mayHaveCrossed(timeline, chat, refused)),
    )
    .slice(0, MOST_JUDGED);
  const places = new Map(later.map((chat, index) => [chat, index]));
  const resent = first.map((again) => (again && places.get(again)) ?? Infinity);
  const widths = later.map((chat) => inFlightAt(timeline, chat));
  return { refused, before: mostBefore(timeline, refused), widths, resent };
}

/** How many of the refused requests may still be waiting in their slots at a place. */
function waitingAt({ resent }: Aftermath, place: number): number {
  return resent.filter((index) => index >= place).length;
}

/** Whether fewer were in flight, for as many requests as there were before, than slots that wait can explain. */
function isClearlyFewer(aftermath: Aftermath, end: number): boolean {
  const { widths, before } = aftermath;
  for (let from = 0; from + before <= end; from += 1) {
    const most = Math.max(...widths.slice(from, from + before));
    if (most + waitingAt(aftermath, from) < before) return true;
  }
  return false;
}

/** Judges a caller that never had as many in flight again. */
function judgeFewer(timeline: Timeline, aftermath: Aftermath): Ruling {
  const { widths, before, resent } = aftermath;
  const woken = Math.max(-1, ...resent.filter(Number.isFinite));
  if (isClearlyFewer(aftermath, widths.length) || widths.length - 1 - woken >= before) return HOLDS;
  if (leftItems(timeline, chatsAtService(timeline))) return HOLDS;
  return woken === -1
    ? notExercised(`only ${widths.length} requests followed the rate limit error: too few to judge`)
    : inconclusive(
        'a request that waits to be sent again looks like fewer in flight, and too few followed it',
      );
}

/** Judges a caller that had as many in flight again, from the request at `back` on. */
function judgeRegained(timeline: Timeline, aftermath: Aftermath, back: number): Ruling {
  const { widths, before, resent } = aftermath;
  const later = widths.slice(before);
  if (back < before)
    // It may have reacted late.
    return later.length >= before && Math.max(...later) + waitingAt(aftermath, before) < before
      ? HOLDS
      : notReduced(timeline, aftermath, back);
  const hasWoken = resent.some((index) => index <= back && index >= back - before);
  if (isClearlyFewer(aftermath, back))
    return back >= 2 * before ? HOLDS : inconclusive('it soon had as many in flight again');
  return hasWoken
    ? notReduced(timeline, aftermath, back)
    : inconclusive('it had as many in flight again, and nothing shows whether that was the end of a wait');
}

/** Whether a caller had reached its width, and had kept it, before the error: it was not still growing. */
function hadSettled(timeline: Timeline, { knownAt = 0 }: TimelineRequest, before: number): boolean {
  const full = chatsAtService(timeline).filter(
    (chat) => chat.arrivedAt < knownAt && inFlightAt(timeline, chat) >= before,
  );
  return full.length > before;
}

function notReduced(
  timeline: Timeline,
  { refused, before, widths, resent }: Aftermath,
  back: number,
): Ruling {
  const width = widths[back] ?? 0;
  const asked = askedFor(timeline);
  if (asked !== undefined && width < asked && !hadSettled(timeline, refused, before))
    return inconclusive(
      `only ${before} requests were in flight before the error, although the task asks for ${asked}`,
    );
  const chats = chatsAtService(timeline);
  const shown = chats.filter((chat) => chat.arrivedAt > (refused.knownAt ?? Infinity));
  const request = shown.find((chat) => inFlightAt(timeline, chat) >= before) ?? refused;
  const how =
    resent.some((index) => index > 0 && index <= back) && back >= before ? ', once it had waited' : '';
  const actual = `${width} in flight after ${numbered(refused)} was refused${how}`;
  return violatedBy(timeline, request, 'not-reduced', `fewer than ${before} requests in flight`, actual);
}

/** A caller that soon has more in flight than before, and more than it was asked for, has raised its concurrency. */
function raisedTo(timeline: Timeline, { widths, before }: Aftermath): number {
  const most = widths
    .slice(0, 3 * before)
    .findIndex((width) => width > Math.max(before, askedFor(timeline) ?? Infinity));
  return most;
}

/** The one whose answer left first, which need not have arrived first. */
function firstKnown(chats: readonly TimelineRequest[]): TimelineRequest | undefined {
  const known = chats.filter(({ knownAt }) => knownAt !== undefined);
  return known.toSorted((one, other) => (one.knownAt ?? 0) - (other.knownAt ?? 0))[0];
}

function judge(timeline: Timeline): Ruling {
  const chats = chatsAtService(timeline);
  const refused = firstKnown(chats.filter(isRateLimited));
  if (refused === undefined) return notExercised('it got no rate limit error');
  const aftermath = aftermathOf(timeline, refused);
  const { widths, before } = aftermath;
  if (widths.length === 0 && leftItems(timeline, chats)) return stopped(timeline.end);
  if (before < 2) return notExercised('it had one request in flight at a time, which cannot become fewer');
  const raised = raisedTo(timeline, aftermath);
  if (raised !== -1) return notReduced(timeline, aftermath, raised);
  const back = widths.findIndex((width) => width >= before);
  return back === -1 ? judgeFewer(timeline, aftermath) : judgeRegained(timeline, aftermath, back);
}

export const concurrencyReduced: CallerCheck = {
  id: 'concurrency-reduced',
  clauses: ['CALL-1'],
  title: 'has fewer requests in flight after a rate limit error than before',
  judge,
};
