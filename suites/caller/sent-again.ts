import { hasFailed, isAfter, isBeside, lookupsBetween } from './chats.ts';
import { numbered } from './evidence.ts';
import { timesInPlainUse } from './hidden-work.ts';
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
  /** The last workspace lookup between them that showed the first; `unseen`: there may have been one. */
  readonly lookup: WorkspaceLookup | 'unseen' | undefined;
  /** Why it may be other work, or may have been sent before. */
  readonly doubt: string | undefined;
}

/** Everything that was asked for again, by what failed first. */
export function sentAgain(timeline: Timeline): readonly SentAgain[] {
  const repeatsOthers = repeatsTexts(timeline);
  const firsts = timeline.atService.filter((chat) => chat.isHeld || hasFailed(chat));
  return firsts.flatMap((first) => {
    const isRepeating = repeatsWork(timeline, first) ?? repeatsOthers;
    return othersFor(timeline, first).flatMap((again): readonly SentAgain[] => {
      const when = whenSent(first, again);
      if (when === undefined) return [];
      const doubt = doubtOf(first, again, when, isRepeating);
      return [{ first, again, when, lookup: lookupBetween(timeline, first, again, when), doubt }];
    });
  });
}

/** The other chats for the same work, at the service and elsewhere. */
export function othersFor({ chats }: Timeline, chat: Chat): readonly Chat[] {
  return chats.filter((other) => other !== chat && isSameWork(chat, other));
}

export function isSameWork({ work }: Chat, other: Chat): boolean {
  return work !== undefined && work === other.work;
}

/** Whether a request asks for the very same as an earlier one, whatever stands before its last user text. */
export function isSameAsk(chat: Chat, earlier: Chat): boolean {
  if (chat.body === earlier.body || chat.body === '') return true;
  const isEqual = (field: string): boolean => chat.fields?.[field] === earlier.fields?.[field];
  return chat.text !== undefined && chat.text === earlier.text && isEqual('max_tokens') && isEqual('model');
}

/** Requests this close together were sent at once: neither is sent because the caller gave up on the other. */
const AT_ONCE_MS = 100;

function whenSent(first: Chat, again: Chat): SentAgain['when'] | undefined {
  if (first.isHeld && again.arrivedAt > first.arrivedAt + AT_ONCE_MS && !isAfter(again, first))
    return 'while-held';
  if (!hasFailed(first)) return undefined;
  if (isAfter(again, first)) return 'after';
  return isBeside(first, again) ? 'beside' : undefined;
}

/** Nobody opens the workspace, finds a request in it and sends its work again sooner than this. */
const QUICKEST_LOOKUP_MS = 10_000;

function lookupBetween(
  timeline: Timeline,
  first: Chat,
  { arrivedAt }: Chat,
  when: SentAgain['when'],
): SentAgain['lookup'] {
  if (when === 'beside') return undefined;
  const since = when === 'after' ? (first.knownAt ?? Infinity) : first.arrivedAt;
  if (timeline.lookups === undefined && arrivedAt > since + QUICKEST_LOOKUP_MS) return 'unseen';
  return lookupsBetween(timeline, first, since, arrivedAt).at(-1);
}

function doubtOf(
  first: Chat,
  again: Chat,
  when: SentAgain['when'],
  isRepeating: boolean,
): string | undefined {
  if (when === 'beside')
    return `${numbered(first)} failed while ${numbered(again)}, for the same work, was in flight`;
  if (!isAlikeOnly(first, again)) return undefined;
  if (when === 'while-held')
    return 'an equal request arrived while the answer was held: it may be other work';
  return isRepeating
    ? 'it sends equal requests also where none fails: let each piece of its work have its own text'
    : undefined;
}

/** Whether nothing but an equal text shows that the work is the same, which may be a coincidence. */
function isAlikeOnly({ item, idempotencyKey: key = '' }: Chat, other: Chat): boolean {
  return item === undefined && (key === '' || key !== other.idempotencyKey);
}

/** Whether a caller asks for this work twice even where nothing fails, if that shows. What it sent once in plain use is one work. */
function repeatsWork(timeline: Timeline, failed: Chat): boolean | undefined {
  if (failed.isNamed && failed.item === undefined) return true;
  const isEarlier = (chat: Chat): boolean => !isAfter(chat, failed) && chat.outcome.kind !== 'refused';
  if (othersFor(timeline, failed).some(isEarlier)) return true;
  const times = timesInPlainUse(timeline, failed);
  return times === 0 ? undefined : times > 1;
}

/** Whether a caller repeats texts that did not fail: then an equal text may be other work. */
function repeatsTexts({ chats }: Timeline): boolean {
  const byWork = Map.groupBy(chats, ({ work }) => work);
  byWork.delete(undefined);
  return [...byWork.values()].some((same) =>
    same.some((one, index) =>
      same.slice(index + 1).some((next) => isAlikeOnly(one, next) && isNoRepetition(next, one)),
    ),
  );
}

/** Whether a chat followed one for the same work that had not failed: it was served, or still in flight. */
function isNoRepetition(chat: Chat, earlier: Chat): boolean {
  return chat.arrivedAt > earlier.arrivedAt && (earlier.outcome.kind === 'served' || !isAfter(chat, earlier));
}
