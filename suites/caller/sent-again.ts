import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { isJsonObject } from '../engine/reading/json.ts';
import {
  beginningOf,
  habitsIn,
  hasFailed,
  isAfter,
  isBeside,
  isRefusal,
  isUncertain,
  lookupsBetween,
  messagesOf,
  plainChats,
  RETRY_COUNT,
  unsettledState,
} from './chats.ts';
import { numbered } from './evidence.ts';
import { markHint } from './hints.ts';
import { worstOf } from './judge-caller.ts';
import type { Chat, Timeline, WorkspaceLookup } from './timeline.ts';

/** A request that failed, or whose answer was held, and a later one for the same work. */
export interface SentAgain {
  readonly first: Chat;
  readonly again: Chat;
  /**
   * `after` the first was known to have failed; `while-held`: the caller may have given up without closing the
   * connection; `beside` it, while neither had an answer.
   */
  readonly when: 'after' | 'while-held' | 'beside';
  /** The last workspace lookup between them that showed the first. */
  readonly lookup: WorkspaceLookup | undefined;
  /** It may be other work, or may have been sent before, or after a lookup that nobody saw: why nothing is sure. */
  readonly doubt: string | undefined;
  /** The caller sends all its work more than once, whatever comes: why this is no answer to the failure. */
  readonly habit: string | undefined;
}

/** Nobody opens the workspace, finds a request in it and sends it again sooner than this. */
const QUICKEST_LOOKUP_MS = 10_000;

const LOOKUPS_HINT = 'start the proxy with --control-url, and let lookups pass through it';

/**
 * Whether a client sent the same request again by itself, so soon. A program that looked it up first asks anew, under a fresh
 * key; some clients count their retries.
 */
function isReplay(first: Chat, { idempotencyKey, headers }: Chat, afterMs: number): boolean {
  const isRetry = Number(headers[RETRY_COUNT] ?? 0) > 0;
  return afterMs <= QUICKEST_LOOKUP_MS && (isRetry || idempotencyKey === first.idempotencyKey);
}

/** Everything that was asked for again, by what failed first. */
export function sentAgain(timeline: Timeline): readonly SentAgain[] {
  const [texts, habits] = [textsIn(timeline), habitsIn(timeline)];
  return timeline.atService.flatMap((first) =>
    othersFor(timeline, first).flatMap((again): readonly SentAgain[] => {
      const when = whenSent(first, again);
      if (when === undefined) return [];
      const isSameWork = isSameWorkAs(texts, first, again);
      if (isSameWork === false) return [];
      const since = when === 'while-held' ? first.arrivedAt : (first.knownAt ?? Infinity);
      const lookup = lookupsBetween(timeline, first, since, again.arrivedAt).at(-1);
      const isUnseen = when === 'while-held' && lookup === undefined;
      const isAlike = when === 'beside' || (isUnseen && isAlikeOnly(first, again));
      const isSeen = timeline.lookups !== undefined || isReplay(first, again, again.arrivedAt - since);
      const [one, other] = [numbered(first), numbered(again)];
      const unsure = `nothing shows for sure that ${other} repeats ${one}: ${markHint(timeline)}`;
      const unseen = `nothing shows whether ${one} was looked up before ${other}: ${LOOKUPS_HINT}`;
      const isOneKey = first.idempotencyKey === again.idempotencyKey;
      const habit = (isOneKey ? habits.oneKey : habits.keys)
        ? 'it sends all its work more than once, whatever comes'
        : undefined;
      const unknown = isSeen ? undefined : unseen;
      const unasked = habit !== undefined && isOneKey ? `${habit} (see IDEM-1)` : unknown;
      const doubt = isAlike || !isSameWork ? unsure : unasked;
      return [{ first, again, when, lookup, doubt, habit }];
    }),
  );
}

/** The other chats for the same work, at the service and elsewhere. */
export function othersFor({ chats }: Timeline, chat: Chat): readonly Chat[] {
  return chats.filter((other) => other !== chat && other.work === chat.work);
}

/** Whether a request asks for the very same as an earlier one, whatever stands before its last user text. */
export function isSameAsk(chat: Chat, earlier: Chat): boolean {
  const isEqual = (field: string): boolean => chat.fields?.[field] === earlier.fields?.[field];
  const isSameText = chat.text !== undefined && chat.text === earlier.text;
  return chat.body === earlier.body || (isSameText && isEqual('max_tokens') && isEqual('model'));
}

/** Requests this close together were sent at once: neither is sent because the caller gave up on the other. */
export const AT_ONCE_MS = 100;

function whenSent(first: Chat, again: Chat): SentAgain['when'] | undefined {
  if (first.isHeld && again.arrivedAt > first.arrivedAt + AT_ONCE_MS && !isAfter(again, first))
    return 'while-held';
  if (!hasFailed(first)) return undefined;
  if (isAfter(again, first)) return 'after';
  return isBeside(first, again) ? 'beside' : undefined;
}

/** Whether nothing but an equal text shows that the work is the same, which may be a coincidence. */
function isAlikeOnly({ item, idempotencyKey: key = '' }: Chat, other: Chat): boolean {
  return item === undefined && (key === '' || key !== other.idempotencyKey);
}

/** How often each piece of work was asked for. */
function countsOf(chats: readonly Chat[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { work } of chats) counts.set(work, (counts.get(work) ?? 0) + 1);
  return counts;
}

/** What shows whether equal texts are for the same work: plain use, and each time that the caller was asked for its work. */
function textsIn(timeline: Timeline) {
  const { chats, end } = timeline;
  const plain = plainChats(timeline);
  const { at = Infinity, drivenAt = Infinity } = end.restart ?? {};
  const rounds = [
    chats.filter(({ arrivedAt }) => arrivedAt < at),
    chats.filter(({ arrivedAt }) => arrivedAt >= drivenAt),
  ];
  const counts = countsOf(plain);
  return {
    plain: counts,
    rounds: rounds.map((round) => readRound(round, counts)),
    isRepeated: [chats, plain].some((each) => repeatedIn(each).size > 0),
  };
}

function readRound(chats: readonly Chat[], plain: ReadonlyMap<string, number>) {
  const counts = countsOf(chats);
  return {
    chats: new Set(chats),
    last: chats.at(-1),
    counts,
    repeated: repeatedIn(chats),
    /** Whether everything was asked for as often as in plain use, and nothing else. */
    isAsInPlainUse: counts.size === plain.size && [...plain].every(([work, n]) => counts.get(work) === n),
  };
}

/** Whether a later chat with the work of a failed one is for the same, by what plain use showed; undefined: nothing shows it. */
function isSameWorkAs({ plain, rounds, isRepeated }: ReturnType<typeof textsIn>, first: Chat, again: Chat) {
  if (!isAlikeOnly(first, again)) return true;
  const { work } = first;
  const times = plain.get(work);
  if (times === undefined) {
    // Two items of the task have its text.
    const isOfTwoItems = first.isNamed && first.item === undefined;
    return isOfTwoItems || isRepeated || isOfOtherTalk(first, again) ? undefined : true;
  }
  const round = rounds.find(({ chats }) => chats.has(again));
  // A server that started anew sent it unasked.
  if (round === undefined) return true;
  const { chats, last, counts, repeated, isAsInPlainUse } = round;
  if (!chats.has(first)) return isAsInPlainUse ? false : undefined;
  // Only a round that went on to other work shows that all with this text was asked for.
  if (times > 1) return isAsInPlainUse && last?.work !== work ? false : undefined;
  // A caller that repeats other texts too may repeat this one for other work.
  const repeatsOthers = [...counts].some(([other, n]) => other !== work && n > (plain.get(other) ?? 1));
  return repeatsOthers || repeated.has(work) || isOfOtherTalk(first, again) ? undefined : true;
}

/** What was said before the last text. Instructions may hold a clock. */
function turnsOf({ fields }: Chat): readonly string[] {
  const turns = messagesOf(fields).slice(0, -1);
  return turns.map((each) => {
    const text = JSON.stringify(each);
    return isJsonObject(each) && each['role'] === 'system' ? text.replaceAll(/[\d.:]+/g, '') : text;
  });
}

/** Whether something else was said before an equal text: it may stand in another conversation. */
function isOfOtherTalk(first: Chat, again: Chat): boolean {
  const known = new Set(turnsOf(first));
  return turnsOf(again).some((turn) => !known.has(turn));
}

/** The work that a caller asked for again although nothing had failed: an equal text of it may be other work. */
function repeatedIn(chats: readonly Chat[]): ReadonlySet<string> {
  const byWork = [...Map.groupBy(chats, ({ work }) => work)];
  return new Set(byWork.flatMap(([work, equal]) => (isRepeating(equal) ? work : [])));
}

/**
 * Whether a caller repeats a text that did not fail, whose answer it has or waits for. One that crosses a request which then
 * fails is no sign of that, unless both were sent at once; nor is one while the answer is held.
 */
function isRepeating(equal: readonly Chat[]): boolean {
  return equal.some((next) =>
    equal.some(
      (one) =>
        one.arrivedAt < next.arrivedAt &&
        isAlikeOnly(one, next) &&
        (!one.isHeld || isAfter(next, one)) &&
        (one.outcome === 'served' ||
          (!isAfter(next, one) && (!hasFailed(one) || next.arrivedAt <= one.arrivedAt + AT_ONCE_MS))),
    ),
  );
}

/**
 * Judges what a caller did about requests that failed: by the rulings on what it sent again and, where these find nothing,
 * by whether it may have sent their work again unseen. `none`: why, if none failed.
 */
export function judgeAgain(
  timeline: Timeline,
  failed: readonly Chat[],
  rulings: readonly Ruling[],
  none: string,
): Ruling {
  const worst = worstOf([...mayHideAgain(timeline).map(inconclusive), ...rulings]);
  if (worst !== undefined && worst.kind !== 'holds') return worst;
  if (worst === undefined && failed.length === 0) return notExercised(none);
  if (!failed.some((one) => mayHide(timeline, one))) return HOLDS;
  const unseen = 'other texts followed: nothing shows whether one of them was for the same work';
  return notExercised(unseen, markHint(timeline));
}

/** Whether the work of a request may be asked for again without a sign of it: in a text that is new, and shows no item. */
function mayHide(timeline: Timeline, request: Chat): boolean {
  // After a refusal the application may decide on other words, under a fresh key.
  if (!isUncertain(request) && request.idempotencyKey !== undefined) return false;
  return timeline.chats.some(
    (chat) =>
      isAfter(chat, request) &&
      chat.work !== request.work &&
      (request.item === undefined || chat.item === undefined) &&
      isNewText(timeline, chat),
  );
}

/** Whether the caller did not send the text of a request where nothing failed. */
export function isNewText(timeline: Timeline, { text }: Chat): boolean {
  return text === undefined || plainChats(timeline).every((chat) => chat.text !== text);
}

/** Why lost work may have been sent again without a sure sign of it; empty: it was not. A workspace lookup allows it. */
export function mayHideAgain(timeline: Timeline): readonly string[] {
  const lost = timeline.chats.filter((chat) => chat.isHeld || isUncertain(chat));
  return [...surplusIn(timeline, lost), ...lost.flatMap((one) => heldTexts(timeline, one))];
}

/** Whether the workspace had shown what became of a request before another one. */
function isSettled(timeline: Timeline, lost: Chat, before: Chat | undefined): boolean {
  return lookupsBetween(timeline, lost, lost.arrivedAt, before?.arrivedAt).some(
    (lookup) => unsettledState(lookup, lost) === undefined,
  );
}

function isCounted(chat: Chat): boolean {
  return !chat.isNamed && !isRefusal(chat);
}

/** More completions that may have been paid for, and show no item or mark, than the caller has work, as plain use showed. */
function surplusIn(timeline: Timeline, lost: readonly Chat[]): readonly string[] {
  const [plain, asked] = [plainChats(timeline), timeline.chats.filter(isCounted)];
  const last = asked.findLast((chat) => isNewText(timeline, chat)) ?? asked.at(-1);
  const settled = lost.filter((one) => isSettled(timeline, one, last));
  const rounds = timeline.end.restart === undefined ? 1 : 2;
  const most = rounds * plain.filter(isCounted).length + settled.length;
  if (plain.every(isRefusal) || lost.length === 0 || asked.length <= most) return [];
  const counts = `${asked.length} completions, but only ${most} in plain-use`;
  return [`${counts}, so lost work may have been sent again: ${markHint(timeline)}`];
}

/** The text of a lost item within the request for another one. */
function heldTexts(timeline: Timeline, lost: Chat): readonly string[] {
  const asked = timeline.items.find(({ id }) => id === lost.item);
  const holding = timeline.chats.find(
    (chat) =>
      asked !== undefined &&
      chat.text?.includes(beginningOf(asked)) === true &&
      chat.item !== lost.item &&
      isAfter(chat, lost) &&
      !isSettled(timeline, lost, chat),
  );
  return holding === undefined
    ? []
    : [
        `${numbered(holding)} contains the text of ${numbered(lost)}, either as history or to request lost work again`,
      ];
}
