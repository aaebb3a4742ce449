import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { failedChats, isAfter, leftItems, mayHaveCrossed } from './chats.ts';
import { crashOf } from './crashes.ts';
import { numbered, violatedBy } from './evidence.ts';
import type { CallerCheck } from './judge-caller.ts';
import { othersFor } from './sent-again.ts';
import type { Chat, Timeline } from './timeline.ts';

/** How many requests were in flight, up to the rate limit error that the caller knew first and after it. */
function widthsAround(timeline: Timeline, refused: Chat) {
  const { atService: chats } = timeline;
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
    /** Whether the caller may still have been growing when the error came. */
    isGrowing:
      before < asked && asked < Infinity && early.filter((width) => width >= before).length <= before,
    later,
    widths: later.map(widthAt),
    /** Where in `later` refused requests were sent again. Until then their slots may wait, in use. */
    wakes: again.map((chat) => later.findIndex((one) => one === chat)).filter((index) => index >= 0),
  };
}

function judge(timeline: Timeline): Ruling {
  const [refused] = failedChats(timeline, 'rate-limit').toSorted(
    (one, other) => (one.knownAt ?? 0) - (other.knownAt ?? 0),
  );
  if (refused === undefined) return notExercised('it got no rate limit error');
  const { before, isGrowing, later, widths, wakes } = widthsAround(timeline, refused);
  const { end } = timeline;
  if (later.length === 0 && leftItems(timeline)) {
    // A caller that stopped has nothing in flight; one that crashed did not choose to stop.
    const isOrderly =
      end.kind === 'driven' || (end.kind === 'exited' && (end.code === 0 || crashOf(end) === undefined));
    return isOrderly ? HOLDS : notExercised('the caller did not choose to stop after the rate limit error');
  }
  if (before < 2) return notExercised('it had one request in flight at a time, which cannot become fewer');
  const isWide = (width: number): boolean => width >= before;
  const inUse = widths.map((width, index) => width + wakes.filter((wake) => wake > index).length);
  const startsFewer = widths.length >= before && !inUse.slice(0, before).some(isWide);
  const back = widths.findIndex(isWide);
  if (startsFewer && (back === -1 || back >= 2 * before)) return HOLDS;
  if (back === -1)
    return widths.length - Math.max(0, ...wakes) >= before || leftItems(timeline)
      ? HOLDS
      : notExercised('too few requests followed the rate limit error');
  // Directly after the error or after the end of a wait, and until the end.
  const isSoon = [0, ...wakes].some((from) => from <= back && back < from + before);
  const isPlain = !startsFewer && !isGrowing && isSoon && widths.slice(-before).some(isWide);
  if (!isPlain)
    return inconclusive(
      'fewer requests were in flight only for a time, or the caller may still have been adding requests',
    );
  const actual = `${widths[back]} in flight after ${numbered(refused)} was refused`;
  const expected = `fewer than ${before} requests in flight`;
  return violatedBy(later[back] ?? refused, 'not-reduced', expected, actual);
}

export const concurrencyReduced: CallerCheck = {
  id: 'concurrency-reduced',
  clauses: ['CALL-1'],
  title: 'has fewer requests in flight after a rate limit error than before',
  judge,
};
