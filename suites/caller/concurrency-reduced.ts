import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { saysItCrashed } from './crash-signs.ts';
import { mostInFlight } from './in-flight.ts';
import { numbered, violatedBy } from './rulings.ts';
import { chatsAtService } from './seen-chats.ts';
import { itemOf } from './same-work.ts';
import type { CallerEnd, TimelineRequest, Timeline } from './timeline.ts';

function isRateLimited({ outcome: met }: TimelineRequest): boolean {
  return met.kind === 'refused' && met.why === 'rate-limit';
}

/**
 * What was under way when the caller was told, and the requests it had begun before it can have heeded that: a burst
 * arrives one by one, so they are all that came until the first of them was answered otherwise.
 */
function waveOf(
  refused: TimelineRequest,
  chats: readonly TimelineRequest[],
): { until: number; last: number } {
  const told = refused.knownAt ?? Infinity;
  const until = Math.min(
    Infinity,
    ...chats.flatMap((chat) =>
      isRateLimited(chat) || (chat.knownAt ?? 0) <= told ? [] : [chat.knownAt ?? Infinity],
    ),
  );
  const wave = chats.filter((chat) => chat.arrivedAt < until && (chat.knownAt ?? Infinity) > told);
  return { until, last: Math.max(told, ...wave.map(({ knownAt }) => knownAt ?? Infinity)) };
}

function leftWishes(timeline: Timeline, chats: readonly TimelineRequest[]): boolean {
  const asked = new Set(chats.map((chat) => itemOf(timeline, chat)));
  return (
    chats.some((chat) => itemOf(timeline, chat) !== undefined) &&
    timeline.items.some(({ id }) => !asked.has(id))
  );
}

/**
 * The most that were under way before: up to the refusal, or, where that struck in the middle of a burst, when all of
 * the burst had come. No more than the caller was asked for: what it adds once it was refused is no part of that.
 */
function mostBefore(timeline: Timeline, { knownAt = 0 }: TimelineRequest, until: number): number {
  const chats = chatsAtService(timeline);
  const upTo = (time: number): number =>
    mostInFlight(
      chats.filter(({ arrivedAt }) => arrivedAt < time),
      chats,
    );
  return Math.max(upTo(knownAt), Math.min(upTo(until), askedFor(timeline) ?? Infinity));
}

/** How many a caller was asked to have under way, if it does what it was asked. */
function askedFor(timeline: Timeline): number | undefined {
  const isOnTask = chatsAtService(timeline).some((chat) => itemOf(timeline, chat) !== undefined);
  return isOnTask ? timeline.atOnce : undefined;
}

/** Who asks for no more has nothing under way; who broke down has not decided so. */
function stopped(end: CallerEnd): Ruling {
  const isOrderly = end.kind === 'exited' && (end.code === 0 || !saysItCrashed(end.output));
  return isOrderly
    ? HOLDS
    : notExercised('nothing came after the rate limit error, and not because it chose so');
}

/**
 * What can be said of a caller that had fewer under way for a while, and then perhaps as many again, or more. One with
 * wishes of its own may have more of them by then.
 */
function judgeRegained(timeline: Timeline, before: number, soon: readonly TimelineRequest[]): Ruling {
  const chats = chatsAtService(timeline);
  const most = mostInFlight(soon, chats);
  if (most < before) return HOLDS;
  const actual = `${most} under way again soon after the rate limit error, of ${before} before`;
  const raised = soon.find((one) => mostInFlight([one], chats) > before);
  if (raised === undefined || most <= (askedFor(timeline) ?? Infinity)) return inconclusive(actual);
  return violatedBy(timeline, raised, 'not-reduced', `at most ${before} requests under way`, actual);
}

/**
 * Of what came after the wave, twice as many requests as were under way: that shows whether as many still are. A
 * caller that has not read the error when it sends the first of them has when it sends the others, and one that soon
 * dares more had fewer among the first: either is enough.
 */
function judgeLater(
  timeline: Timeline,
  refused: TimelineRequest,
  before: number,
  later: readonly TimelineRequest[],
): Ruling {
  const chats = chatsAtService(timeline);
  const most = [later.slice(0, before), later.slice(before, 2 * before)].map((some) =>
    mostInFlight(some, chats),
  );
  const after = Math.min(...most);
  const [first] = later;
  if (first === undefined || after < before) {
    const isEnough = later.length >= before || leftWishes(timeline, chats);
    const isFewerFirst = (most[0] ?? 0) < before;
    if (isEnough && isFewerFirst) return judgeRegained(timeline, before, later.slice(before, 2 * before));
    if (isEnough && later.length >= 2 * before) return HOLDS;
    return notExercised(`only ${later.length} requests came after the rate limit error: too few to tell`);
  }
  const asked = askedFor(timeline);
  if (asked !== undefined && after < asked)
    return inconclusive(`${before} requests were under way before, of ${asked} that it was asked for`);
  const actual = `${after} after ${numbered(refused)} was refused`;
  return violatedBy(timeline, first, 'not-reduced', `fewer than ${before} requests under way`, actual);
}

function judge(timeline: Timeline): Ruling {
  const chats = chatsAtService(timeline);
  const refused = chats.find(isRateLimited);
  if (refused === undefined) return notExercised('no rate limit error was met');
  const { until, last } = waveOf(refused, chats);
  const before = mostBefore(timeline, refused, until);
  const later = chats.filter(({ arrivedAt }) => arrivedAt > last);
  if (later.length === 0 && leftWishes(timeline, chats)) return stopped(timeline.end);
  if (before < 2) return notExercised('one request at a time was under way: that cannot become fewer');
  return judgeLater(timeline, refused, before, later);
}

export const concurrencyReduced: CallerCheck = {
  id: 'concurrency-reduced',
  clauses: ['CALL-1'],
  title: 'has fewer requests under way after a rate limit error than before',
  judge,
};
