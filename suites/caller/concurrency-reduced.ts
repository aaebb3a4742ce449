import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { failedChats, isAfter, leftItems, mayHaveCrossed } from './chats.ts';
import { crashOf } from './crashes.ts';
import { numbered, violatedBy } from './evidence.ts';
import { type CallerCheck, worstShown } from './judge-caller.ts';
import { AT_ONCE_MS, othersFor } from './sent-again.ts';
import type { Chat, Timeline } from './timeline.ts';

/** How many requests were in flight when each arrived, itself among them; `together`: when all had arrived that were sent at once. */
function widthsIn({ atService: chats }: Timeline) {
  const widths = chats.map(
    ({ arrivedAt: at }) =>
      chats.filter(({ arrivedAt, knownAt = Infinity }) => arrivedAt <= at && knownAt > at).length,
  );
  const together = [...widths];
  for (const [index, { arrivedAt }] of [...chats.entries()].toReversed()) {
    const isNext = (chats[index + 1]?.arrivedAt ?? Infinity) - arrivedAt <= AT_ONCE_MS;
    if (isNext && widths[index + 1] === (widths[index] ?? 0) + 1) together[index] = together[index + 1] ?? 0;
  }
  const places = new Map(chats.map((chat, index) => [chat, index]));
  return {
    widthAt: (chat: Chat) => widths[places.get(chat) ?? -1] ?? 0,
    widthWith: (chat: Chat) => together[places.get(chat) ?? -1] ?? 0,
  };
}

/** How many requests were in flight, up to a rate limit error and after it. */
function widthsAround(timeline: Timeline, refused: Chat) {
  const { atService: chats } = timeline;
  const { widthAt, widthWith } = widthsIn(timeline);
  const again = failedChats(timeline, 'rate-limit').map((one) => ({
    one,
    chat: othersFor(timeline, one).find((chat) => isAfter(chat, one)),
  }));
  const isSure = (chat: Chat): boolean =>
    isAfter(chat, refused) &&
    (again.some((each) => each.chat === chat) || !mayHaveCrossed(timeline, chat, refused));
  const early = chats.filter((chat) => !isAfter(chat, refused)).map(widthAt);
  const crossing = chats.filter((chat) => !isSure(chat)).map(widthAt);
  const asked = (chats.some(({ isNamed }) => isNamed) ? timeline.atOnce : undefined) ?? Infinity;
  // Of what may have crossed the error, no more counts than the task asks for.
  const before = Math.max(...early, Math.min(asked, Math.max(...crossing)));
  // A caller that leaves a slot free which another answer has freed sends less, whether or not it has read the error.
  const isFree = (chat: Chat): boolean =>
    widthWith(chat) < before && chats.some((one) => isAfter(chat, one) && isKnownAfter(one, refused));
  const later = chats.filter((chat) => isSure(chat) || (isAfter(chat, refused) && isFree(chat)));
  return {
    before,
    asked,
    /** Whether the caller may still have been growing when the error came. */
    isGrowing:
      before < asked && asked < Infinity && early.filter((width) => width >= before).length <= before,
    later,
    widths: later.map(widthWith),
    /** Where in `later` refused requests were sent again. From the error until then their slots may wait, in use. */
    wakes: again.flatMap(({ one, chat }) => {
      const to = later.findIndex((each) => each === chat);
      return to === -1 ? [] : { from: later.findIndex((each) => isAfter(each, one)), to };
    }),
  };
}

function isKnownAfter({ knownAt = Infinity }: Chat, { knownAt: before = Infinity }: Chat): boolean {
  return knownAt > before;
}

/** The rate limit error that the caller knew first, and each that came when it had as many in flight again. */
function refusalsIn(timeline: Timeline): readonly Chat[] {
  const { atService: chats } = timeline;
  const { widthAt } = widthsIn(timeline);
  const widest = (all: readonly Chat[]): number => Math.max(0, ...all.map(widthAt));
  const found: Chat[] = [];
  const limited = failedChats(timeline, 'rate-limit');
  for (const refused of limited.toSorted((one, other) => (isKnownAfter(one, other) ? 1 : -1))) {
    const last = found.at(-1);
    const since = chats.filter((chat) => last && isAfter(chat, last) && !isAfter(chat, refused));
    const isWideAgain = last && widest(since) >= widest(chats.filter((chat) => !isAfter(chat, last)));
    if (!last || (isWideAgain && !mayHaveCrossed(timeline, refused, last))) found.push(refused);
  }
  return found;
}

const BRIEF = inconclusive(
  'fewer requests were in flight for one batch only: with more requests, a second rate limit error would decide',
);

function judgeRefusal(timeline: Timeline, refused: Chat): Ruling {
  const { before, asked, isGrowing, later, widths, wakes } = widthsAround(timeline, refused);
  if (later.length === 0 && leftItems(timeline)) {
    // A caller that stopped has nothing in flight; one that crashed did not choose to stop.
    const { end } = timeline;
    const isOrderly =
      end.kind === 'driven' || (end.kind === 'exited' && (end.code === 0 || crashOf(end) === undefined));
    return isOrderly ? HOLDS : notExercised('the caller did not choose to stop after the rate limit error');
  }
  if (before < 2) return notExercised('it had one request in flight at a time, which cannot become fewer');
  const isWide = (width: number): boolean => width >= before;
  const back = widths.findIndex(isWide);
  // As many in flight before a slot woke did not take it.
  const slots = wakes.filter(({ to }) => back === -1 || to <= back);
  const inUse = widths.map(
    (width, index) => width + slots.filter(({ from, to }) => from <= index && index < to).length,
  );
  const startsFewer = widths.length >= before && !inUse.slice(0, before).some(isWide);
  if (startsFewer && (back === -1 || back >= 2 * before)) return HOLDS;
  if (back === -1) {
    const awake = Math.max(0, ...wakes.map(({ to }) => to));
    if (widths.length - awake >= before || leftItems(timeline)) return HOLDS;
    const when = awake > 0 ? 'it has sent the refused one again' : 'the rate limit error';
    const more = `let the caller send at least ${before} more requests after ${when}`;
    const hint = before > asked ? `let the caller keep to ${asked} in flight, as CHAT_TASK asks` : more;
    return notExercised('too few requests followed the rate limit error', hint);
  }
  const narrow = inUse.slice(0, inUse.findIndex(isWide));
  // A caller that adds one request at a time may have learnt something meanwhile.
  const isBrief = narrow.length < before && new Set(narrow).size === 1 && (narrow[0] ?? 0) < before - 1;
  if (narrow.length > 0) return isBrief ? BRIEF : inconclusive(FOR_A_TIME);
  // Directly after the error or after the end of a wait, and until the end.
  const isSoon = [0, ...wakes.map(({ to }) => to)].some((from) => from <= back && back < from + before);
  if (isGrowing || !isSoon || !widths.slice(-before).some(isWide)) return inconclusive(FOR_A_TIME);
  const actual = `${widths[back]} in flight after ${numbered(refused)} was refused`;
  const expected = `fewer than ${before} requests in flight`;
  return violatedBy(later[back] ?? refused, 'not-reduced', expected, actual);
}

const FOR_A_TIME =
  'fewer requests were in flight only for a time, or the caller may still have been adding requests';

function judge(timeline: Timeline): Ruling {
  const refusals = refusalsIn(timeline);
  const rulings = refusals.map((refused, index) => {
    const [from, until] = [refusals[index - 1], refusals[index + 1]];
    const around = timeline.atService.filter(
      (chat) => (!from || isKnownAfter(chat, from)) && (!until || !isAfter(chat, until)),
    );
    return judgeRefusal({ ...timeline, atService: around }, refused);
  });
  const [first, second] = refusals.filter((_, index) => rulings[index] === BRIEF);
  if (first && second) {
    const actual = `as many again one batch after ${numbered(first)} and ${numbered(second)} were refused`;
    return violatedBy(second, 'not-reduced', 'fewer requests in flight than before, for longer', actual);
  }
  return worstShown(rulings) ?? notExercised('it got no rate limit error');
}

export const concurrencyReduced: CallerCheck = {
  id: 'concurrency-reduced',
  clauses: ['CALL-1'],
  title: 'has fewer requests in flight after a rate limit error than before',
  judge,
};
