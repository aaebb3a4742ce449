import {
  type Chat,
  chatsAtService,
  chatsOf,
  failedChats,
  isAfter,
  isBeside,
  lookupsBetween,
} from './chats.ts';
import { numbered } from './evidence.ts';
import { timesInPlainUse } from './hidden-work.ts';
import type { Timeline, WorkspaceLookup } from './timeline.ts';

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
  /** Why it may be other work, or may have been sent before. */
  readonly doubt: string | undefined;
}

/** Everything that was asked for again, by what failed first. */
export function sentAgain(timeline: Timeline, run: readonly Timeline[]): readonly SentAgain[] {
  const isRepeating = repeatsTexts(timeline);
  return [
    ...failedChats(timeline).flatMap((first) =>
      afterFailure(timeline, first, repeats(timeline, run, first) ?? isRepeating),
    ),
    ...chatsAtService(timeline)
      .filter(({ isHeld }) => isHeld)
      .flatMap((first) => whileHeld(timeline, first)),
  ];
}

/** The other chats for the same work, at the service and elsewhere. */
export function othersFor(timeline: Timeline, chat: Chat): readonly Chat[] {
  return chatsOf(timeline).filter((other) => other !== chat && isSameWork(chat, other));
}

export function isSameWork({ work }: Chat, other: Chat): boolean {
  return work !== undefined && work === other.work;
}

/** Whether nothing but an equal text shows that the work is the same, which may be a coincidence. */
function isAlikeOnly({ item, idempotencyKey: key = '' }: Chat, other: Chat): boolean {
  return item === undefined && (key === '' || key !== other.idempotencyKey);
}

/** Whether a request asks for the very same as an earlier one, whatever stands before its last user text. */
export function isSameAsk(chat: Chat, earlier: Chat): boolean {
  if (chat.body === earlier.body || chat.body === '') return true;
  const isEqual = (field: string): boolean => chat.fields?.[field] === earlier.fields?.[field];
  return chat.text !== undefined && chat.text === earlier.text && isEqual('max_tokens') && isEqual('model');
}

const ALIKE = 'it sends equal requests also where none fails: let each piece of its work have its own text';

function afterFailure(timeline: Timeline, first: Chat, isRepeating: boolean): readonly SentAgain[] {
  const lookups = lookupsBetween(timeline, first, first.knownAt ?? Infinity);
  return othersFor(timeline, first).flatMap((again): readonly SentAgain[] => {
    if (isBeside(first, again)) {
      const doubt = `${numbered(first)} failed while ${numbered(again)}, for the same work, was in flight`;
      return [{ first, again, when: 'beside', lookup: undefined, doubt }];
    }
    if (!isAfter(again, first)) return [];
    const lookup = lookups.findLast(({ at }) => at < again.arrivedAt);
    const doubt = isRepeating && isAlikeOnly(first, again) ? ALIKE : undefined;
    return [{ first, again, when: 'after', lookup, doubt }];
  });
}

/** Whether a caller asks for this work twice even where nothing fails, if that shows. What it sent once in plain use is one work. */
function repeats(timeline: Timeline, run: readonly Timeline[], failed: Chat): boolean | undefined {
  if (failed.isNamed && failed.item === undefined) return true;
  const isEarlier = (chat: Chat): boolean => !isAfter(chat, failed) && chat.outcome.kind !== 'refused';
  if (othersFor(timeline, failed).some(isEarlier)) return true;
  const times = timesInPlainUse(timeline, run, failed);
  return times === 0 ? undefined : times > 1;
}

/** Whether a caller repeats texts that did not fail: then an equal text may be other work. */
function repeatsTexts(timeline: Timeline): boolean {
  const byWork = Map.groupBy(chatsOf(timeline), ({ work }) => work);
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

/** Requests this close together were sent at once: neither is sent because the caller gave up on the other. */
const AT_ONCE_MS = 100;

function whileHeld(timeline: Timeline, first: Chat): readonly SentAgain[] {
  const { arrivedAt, knownAt = Infinity } = first;
  const meanwhile = othersFor(timeline, first).filter(
    (again) => again.arrivedAt > arrivedAt + AT_ONCE_MS && again.arrivedAt <= knownAt,
  );
  return meanwhile.map((again): SentAgain => {
    const lookup = lookupsBetween(timeline, first, arrivedAt, again.arrivedAt).at(-1);
    const doubt = 'an equal request arrived while the answer was held: it may be other work';
    return { first, again, when: 'while-held', lookup, doubt: isAlikeOnly(first, again) ? doubt : undefined };
  });
}
