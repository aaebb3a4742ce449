import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { isAfter, lookupsBetween, unsettledState, WORK_HEADER } from './chats.ts';
import { numbered } from './evidence.ts';
import { worstOf } from './judge-caller.ts';
import type { Chat, Timeline } from './timeline.ts';

export const HIDDEN_HINT = `let the caller do CHAT_TASK, or mark what a request is for with the header ${WORK_HEADER}`;

/** How often a caller sent the text of a request where nothing failed. */
export function timesInPlainUse({ plain }: Timeline, { text }: Chat): number {
  const { chats = [] } = plain ?? {};
  return text === undefined ? 0 : chats.filter((chat) => chat.text === text).length;
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
  return failed.some((one) => mayHide(timeline, one))
    ? notExercised(
        'other texts followed: nothing shows whether one of them was for the same work',
        HIDDEN_HINT,
      )
    : HOLDS;
}

/** Whether the work of a request may be asked for again without a sign of it: in a text that is new, and shows no item. */
function mayHide(timeline: Timeline, request: Chat): boolean {
  // After a refusal the application may decide on other words, under a fresh key.
  if (request.outcome.kind !== 'uncertain' && request.idempotencyKey !== undefined) return false;
  return timeline.chats.some(
    (chat) =>
      isAfter(chat, request) &&
      (chat.work === undefined || chat.work !== request.work) &&
      (request.item === undefined || chat.item === undefined) &&
      timesInPlainUse(timeline, chat) === 0,
  );
}

/** The chats, at any place, that may have been paid for. */
function payable({ chats }: Timeline): readonly Chat[] {
  return chats.filter(({ outcome }) => outcome.kind !== 'refused');
}

/** Those that do not show what they are for: work that is sent again in other words hides among these. */
function unnamed(timeline: Timeline): readonly Chat[] {
  return payable(timeline).filter(({ isNamed }) => !isNamed);
}

/** Why lost work may have been sent again without a sure sign of it; empty: it was not. A workspace lookup allows it. */
export function mayHideAgain(timeline: Timeline): readonly string[] {
  const lost = payable(timeline).filter(({ outcome, isHeld }) => outcome.kind === 'uncertain' || isHeld);
  return [...surplusIn(timeline, lost), ...lost.flatMap((one) => heldTexts(timeline, one))];
}

/** Whether the workspace had shown what became of a request before another one. */
function isSettled(timeline: Timeline, lost: Chat, before: Chat | undefined): boolean {
  return lookupsBetween(timeline, lost, lost.arrivedAt, before?.arrivedAt).some(
    (lookup) => unsettledState(lookup, lost) === undefined,
  );
}

/** More completions than the caller has pieces of work, as it showed in plain use. */
function surplusIn(timeline: Timeline, lost: readonly Chat[]): readonly string[] {
  const { plain } = timeline;
  if (plain === undefined || payable(plain).length === 0 || lost.length === 0) return [];
  const asked = payable(timeline);
  const last = unnamed(timeline).findLast((chat) => timesInPlainUse(timeline, chat) === 0);
  const settled = lost.filter((one) => isSettled(timeline, one, last ?? asked.at(-1)));
  const surplus = unnamed(timeline).length - unnamed(plain).length - settled.length;
  if (surplus <= 0) return [];
  const debited = asked.filter(({ money = '' }) => money.startsWith('debited'));
  const counts = `${asked.length} completions (${debited.length} debited), and work for ${asked.length - surplus} in plain-use`;
  return [`${counts}: lost work may have been sent again; ${HIDDEN_HINT}`];
}

/** The text of a lost item within the request for another one. */
function heldTexts(timeline: Timeline, lost: Chat): readonly string[] {
  const begins = timeline.items.find(({ id }) => id === lost.item)?.begins;
  if (begins === undefined) return [];
  const holding = timeline.chats.find(
    (chat) =>
      chat.item !== lost.item &&
      isAfter(chat, lost) &&
      chat.text?.includes(begins) === true &&
      !isSettled(timeline, lost, chat),
  );
  if (holding === undefined) return [];
  return [
    `${numbered(holding)} holds the text of ${numbered(lost)}: as history, or to ask for lost work again`,
  ];
}
