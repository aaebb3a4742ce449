import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import { mostInFlight, chatsAtService, itemOf } from './chats.ts';
import { saysItCrashed } from './crash-signs.ts';
import { numbered, violatedBy } from './evidence.ts';
import type { CallerCheck } from './judge-caller.ts';
import type { CallerEnd, TimelineRequest, Timeline } from './timeline.ts';

function isRateLimited({ outcome }: TimelineRequest): boolean {
  return outcome.kind === 'refused' && outcome.why === 'rate-limit';
}

/**
 * The requests in flight when the caller got the error, and those it had begun before it could react: a burst arrives
 * one by one, so they are all requests until the first of them got another answer.
 */
function waveOf(
  refused: TimelineRequest,
  chats: readonly TimelineRequest[],
): { until: number; last: number } {
  const refusedAt = refused.knownAt ?? Infinity;
  const until = Math.min(
    Infinity,
    ...chats.flatMap((chat) =>
      isRateLimited(chat) || (chat.knownAt ?? 0) <= refusedAt ? [] : [chat.knownAt ?? Infinity],
    ),
  );
  const wave = chats.filter((chat) => chat.arrivedAt < until && (chat.knownAt ?? Infinity) > refusedAt);
  return { until, last: Math.max(refusedAt, ...wave.map(({ knownAt }) => knownAt ?? Infinity)) };
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
function mostBefore(timeline: Timeline, { knownAt = 0 }: TimelineRequest, until: number): number {
  const chats = chatsAtService(timeline);
  const upTo = (time: number): number =>
    mostInFlight(
      chats.filter(({ arrivedAt }) => arrivedAt < time),
      chats,
    );
  return Math.max(upTo(knownAt), Math.min(upTo(until), askedFor(timeline) ?? Infinity));
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

/** Judges a caller that had fewer in flight for a while. One without the task may simply have more work later. */
function judgeRegained(timeline: Timeline, before: number, soon: readonly TimelineRequest[]): Ruling {
  const chats = chatsAtService(timeline);
  const most = mostInFlight(soon, chats);
  if (most < before) return HOLDS;
  const actual = `${most} in flight again soon after the rate limit error, and ${before} before it`;
  const raised = soon.find((one) => mostInFlight([one], chats) > before);
  if (raised === undefined || most <= (askedFor(timeline) ?? Infinity)) return inconclusive(actual);
  return violatedBy(timeline, raised, 'not-reduced', `at most ${before} requests in flight`, actual);
}

/**
 * Judges the requests after the wave, twice as many as were in flight before: fewer in flight in the first or in the
 * second half is enough. A caller may not have read the error when it sends the first half, and may soon raise its
 * concurrency again in the second.
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
    const isEnough = later.length >= before || leftItems(timeline, chats);
    const isFewerFirst = (most[0] ?? 0) < before;
    if (isEnough && isFewerFirst) return judgeRegained(timeline, before, later.slice(before, 2 * before));
    if (isEnough && later.length >= 2 * before) return HOLDS;
    return notExercised(`only ${later.length} requests followed the rate limit error: too few to judge`);
  }
  const asked = askedFor(timeline);
  if (asked !== undefined && after < asked)
    return inconclusive(
      `only ${before} requests were in flight before the error, although the task asks for ${asked}`,
    );
  const actual = `${after} in flight after ${numbered(refused)} was refused`;
  return violatedBy(timeline, first, 'not-reduced', `fewer than ${before} requests in flight`, actual);
}

function judge(timeline: Timeline): Ruling {
  const chats = chatsAtService(timeline);
  const refused = chats.find(isRateLimited);
  if (refused === undefined) return notExercised('it got no rate limit error');
  const { until, last } = waveOf(refused, chats);
  const before = mostBefore(timeline, refused, until);
  const later = chats.filter(({ arrivedAt }) => arrivedAt > last);
  if (later.length === 0 && leftItems(timeline, chats)) return stopped(timeline.end);
  if (before < 2) return notExercised('it had one request in flight at a time, which cannot become fewer');
  return judgeLater(timeline, refused, before, later);
}

export const concurrencyReduced: CallerCheck = {
  id: 'concurrency-reduced',
  clauses: ['CALL-1'],
  title: 'has fewer requests in flight after a rate limit error than before',
  judge,
};
