import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { failedChats, isAfter, leftItems, mayHaveCrossed } from './chats.ts';
import { numbered, violatedBy } from './evidence.ts';
import type { CallerCheck } from './judge-caller.ts';
import { saysItCrashed } from './non-json-survived.ts';
import { othersFor } from './sent-again.ts';
import type { CallerEnd, Chat, Timeline } from './timeline.ts';

/** What followed the rate limit error that the caller knew first. */
interface Aftermath {
  readonly refused: Chat;
  /** The most in flight before. */
  readonly before: number;
  /** Whether the caller had reached its width, and kept it, before the error: it was not still growing. */
  readonly isSettled: boolean;
  /** The requests that were sent in the knowledge of the error. */
  readonly later: readonly Chat[];
  /** How many were in flight when each of these arrived. */
  readonly widths: readonly number[];
  /** Where in `later` each refused request was sent again; Infinity: never. Until then its slot may wait, in use. */
  readonly resent: readonly number[];
}

function aftermathOf(timeline: Timeline, refused: Chat): Aftermath {
  const chats = timeline.atService;
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
    refused,
    before,
    isSettled:
      asked === Infinity || before >= asked || early.filter((width) => width >= before).length > before,
    later,
    widths: later.map(widthAt),
    resent: again.map((chat) => (chat === undefined ? Infinity : later.indexOf(chat))),
  };
}

/** Whether slots were free for as many requests as there were before, those that may wait to send again not counted. */
function isFewer({ widths, before, resent }: Aftermath, from: number, to: number): boolean {
  let free = 0;
  for (let place = from; place < to && free < before; place += 1) {
    const waiting = resent.filter((index) => index >= place).length;
    free = (widths[place] ?? 0) + waiting < before ? free + 1 : 0;
  }
  return free >= before;
}

/** A caller that stopped has nothing in flight; one that crashed did not choose to stop. */
function judgeStopped(end: CallerEnd): Ruling {
  const isOrderly = end.kind === 'exited' && (end.code === 0 || !saysItCrashed(end.output));
  return isOrderly
    ? HOLDS
    : notExercised('no request followed the rate limit error, and the caller did not choose to stop');
}

/** Judges a caller that had as many in flight again, from the request at `back` on. */
function judgeRegained(timeline: Timeline, aftermath: Aftermath, back: number): Ruling {
  const { refused, widths, before, later, resent, isSettled } = aftermath;
  if (isFewer(aftermath, 0, back))
    return back >= 2 * before ? HOLDS : inconclusive('it soon had as many in flight again');
  if (back < before && isFewer(aftermath, before, widths.length))
    return inconclusive('it had as many in flight once more, and then fewer');
  const hasWoken = resent.some((index) => index <= back && index >= back - before);
  if (back >= before && !hasWoken)
    return inconclusive(
      'it had as many in flight again, and nothing shows whether that was the end of a wait',
    );
  if (!isSettled)
    return inconclusive(
      `only ${before} requests were in flight before the error: the caller may have been growing`,
    );
  const actual = `${widths[back]} in flight after ${numbered(refused)} was refused`;
  const expected = `fewer than ${before} requests in flight`;
  return violatedBy(later[back] ?? refused, 'not-reduced', expected, actual);
}

function judge(timeline: Timeline): Ruling {
  const [refused] = failedChats(timeline, 'rate-limit').toSorted(
    (one, other) => (one.knownAt ?? 0) - (other.knownAt ?? 0),
  );
  if (refused === undefined) return notExercised('it got no rate limit error');
  const aftermath = aftermathOf(timeline, refused);
  const { widths, before, resent } = aftermath;
  if (widths.length === 0 && leftItems(timeline)) return judgeStopped(timeline.end);
  if (before < 2) return notExercised('it had one request in flight at a time, which cannot become fewer');
  const back = widths.findIndex((width) => width >= before);
  if (back !== -1) return judgeRegained(timeline, aftermath, back);
  const sinceWoken = widths.length - 1 - Math.max(-1, ...resent.filter(Number.isFinite));
  return isFewer(aftermath, 0, widths.length) || sinceWoken >= before || leftItems(timeline)
    ? HOLDS
    : notExercised('too few requests followed the rate limit error');
}

export const concurrencyReduced: CallerCheck = {
  id: 'concurrency-reduced',
  clauses: ['CALL-1'],
  title: 'has fewer requests in flight after a rate limit error than before',
  judge,
};
