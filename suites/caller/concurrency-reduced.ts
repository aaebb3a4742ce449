import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { failedChats, isAfter, leftItems, mayHaveCrossed } from './chats.ts';
import { numbered, violatedBy } from './evidence.ts';
import type { CallerCheck } from './judge-caller.ts';
import { saysItCrashed } from './non-json-survived.ts';
import { othersFor } from './sent-again.ts';
import type { CallerEnd, Chat, Timeline } from './timeline.ts';

/** What followed the rate limit error that the caller knew first. */
interface Aftermath {
  /** The most in flight before. */
  readonly before: number;
  /** Whether the caller had reached its width, and kept it, before the error: it was not still growing. */
  readonly isSettled: boolean;
  /** The requests that were sent in the knowledge of the error. */
  readonly later: readonly Chat[];
  /** How many were in flight when each of these arrived. */
  readonly widths: readonly number[];
  /** Where in `later` refused requests were sent again. Until then their slots may wait, in use. */
  readonly wakes: readonly number[];
}

function aftermathOf(timeline: Timeline, refused: Chat): Aftermath {
  const { hurriedAt = Infinity } = timeline;
  const chats = timeline.atService.filter(({ arrivedAt }) => arrivedAt < hurriedAt);
  const widthAt = ({ arrivedAt: at }: Chat): number =>
    chats.filter(({ arrivedAt, knownAt = Infinity }) => arrivedAt <= at && knownAt > at).length;
  const again = failedChats(timeline, 'rate-limit').map((one) =>
    othersFor(timeline, one).find((chat) => isAfter(chat, one)),
  );
  const later = chats.filter(
    (chat) => isAfter(chat, refused) && (again.includes(chat) || !mayHaveCrossed(timeline, chat, refused)),
  );
  const early = chats.filter((chat) => !isAfter(chat, refused)).map(widthAt);
  const crossing = chats.filter((chat) => !later.includes(chat)).map(widthAt);
  const asked = (chats.some(({ isNamed }) => isNamed) ? timeline.atOnce : undefined) ?? Infinity;
  // Of what may have crossed the error, no more counts than the task asks for.
  const before = Math.max(...early, Math.min(asked, Math.max(...crossing)));
  return {
    before,
    isSettled:
      asked === Infinity || before >= asked || early.filter((width) => width >= before).length > before,
    later,
    widths: later.map(widthAt),
    wakes: again.map((chat) => later.findIndex((one) => one === chat)).filter((index) => index >= 0),
  };
}

/** A caller that stopped has nothing in flight; one that crashed did not choose to stop. */
function judgeStopped(end: CallerEnd): Ruling {
  const isOrderly = end.kind === 'exited' && (end.code === 0 || !saysItCrashed(end.output));
  return isOrderly
    ? HOLDS
    : notExercised('no request followed the rate limit error, and the caller did not choose to stop');
}

function judge(timeline: Timeline): Ruling {
  const [refused] = failedChats(timeline, 'rate-limit').toSorted(
    (one, other) => (one.knownAt ?? 0) - (other.knownAt ?? 0),
  );
  if (refused === undefined) return notExercised('it got no rate limit error');
  const { before, isSettled, later, widths, wakes } = aftermathOf(timeline, refused);
  if (later.length === 0 && leftItems(timeline)) return judgeStopped(timeline.end);
  if (before < 2) return notExercised('it had one request in flight at a time, which cannot become fewer');
  const isWide = (width: number): boolean => width >= before;
  const inUse = widths.map((width, index) => width + wakes.filter((wake) => wake > index).length);
  const startsFewer = widths.length >= before && !inUse.slice(0, before).some(isWide);
  const back = widths.findIndex(isWide);
  if (back === -1) {
    const sinceWake = widths.length - Math.max(0, ...wakes);
    return startsFewer || sinceWake >= before || leftItems(timeline)
      ? HOLDS
      : notExercised('too few requests followed the rate limit error');
  }
  if (startsFewer) return back >= 2 * before ? HOLDS : inconclusive('it soon had as many in flight again');
  // Directly after the error or after the end of a wait, and until the end.
  const isSoon = [0, ...wakes].some((from) => from <= back && back < from + before);
  if (!isSoon || !widths.slice(-before).some(isWide))
    return inconclusive('it had as many in flight again, but not from the rate limit error on');
  if (!isSettled)
    return inconclusive(
      `only ${before} requests were in flight before the error: the caller may have been growing`,
    );
  const actual = `${widths[back]} in flight after ${numbered(refused)} was refused`;
  const expected = `fewer than ${before} requests in flight`;
  return violatedBy(later[back] ?? refused, 'not-reduced', expected, actual);
}

export const concurrencyReduced: CallerCheck = {
  id: 'concurrency-reduced',
  clauses: ['CALL-1'],
  title: 'has fewer requests in flight after a rate limit error than before',
  remedy:
    'after a 429, let fewer requests run at once, for example by a smaller limit of the queue; a pause alone is not enough',
  judge,
};
