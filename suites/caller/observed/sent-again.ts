import { HOLDS, notExercised, type Ruling } from '../../kit/model/ruling.ts';
import { chatsAtService, everyChat, failedChats, isAfter, lookupsBetween } from './chats.ts';
import { numbered } from './evidence.ts';
import { isBeside } from './in-flight.ts';
import { once, perTimeline, type Timeline, type TimelineRequest, type WorkspaceLookup } from './timeline.ts';
import { chatsForWorkOf, HIDDEN_HINT, isWishedTwice, itemOf, sameWork, timesInPlainUse } from './work.ts';

/** A request that failed, or whose answer was held, and a later one for the same work. */
export interface SentAgain {
  readonly first: TimelineRequest;
  readonly again: TimelineRequest;
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

const found = perTimeline((timeline) =>
  once((run: readonly Timeline[]): readonly SentAgain[] => [
    ...failedChats(timeline).flatMap((first) => afterFailure(timeline, run, first)),
    ...whileHeld(timeline),
  ]),
);

/** Everything that was asked for again, by what failed first. */
export function sentAgain(timeline: Timeline, run: readonly Timeline[]): readonly SentAgain[] {
  return found(timeline)(run);
}

const ALIKE = 'it sends equal requests also where none fails: let each piece of its work have its own text';

function afterFailure(
  timeline: Timeline,
  run: readonly Timeline[],
  first: TimelineRequest,
): readonly SentAgain[] {
  const isAlike = asksAlike(timeline, run, first);
  const lookups = lookupsBetween(timeline, first, first.knownAt ?? Infinity);
  return chatsForWorkOf(timeline, first).flatMap((again): readonly SentAgain[] => {
    const pair = { first, again };
    if (isBeside(first, again)) {
      const doubt = `${numbered(first)} failed while ${numbered(again)}, for the same work, was in flight`;
      return [{ ...pair, when: 'beside', lookup: undefined, doubt }];
    }
    if (!isAfter(again, first)) return [];
    const lookup = lookups.findLast(({ at }) => at < again.arrivedAt);
    const doubt = isAlike && sameWork(timeline, first, again) === 'text' ? ALIKE : undefined;
    return [{ ...pair, when: 'after', lookup, doubt }];
  });
}

/** Requests this close together were sent at once: neither is sent because the caller gave up on the other. */
const AT_ONCE_MS = 100;

function whileHeld(timeline: Timeline): readonly SentAgain[] {
  const held = chatsAtService(timeline).filter(({ isHeld }) => isHeld);
  return held.flatMap((first) => {
    const { arrivedAt, knownAt = Infinity } = first;
    const meanwhile = chatsForWorkOf(timeline, first).filter(
      (again) => again.arrivedAt > arrivedAt + AT_ONCE_MS && again.arrivedAt <= knownAt,
    );
    return meanwhile.map((again): SentAgain => {
      const lookup = lookupsBetween(timeline, first, arrivedAt, again.arrivedAt).at(-1);
      const isText = sameWork(timeline, first, again) === 'text';
      const doubt = isText
        ? 'an equal request arrived while the answer was held: it may be other work'
        : undefined;
      return { first, again, when: 'while-held', lookup, doubt };
    });
  });
}

/** Whether a request was for the same work as an earlier one that had not failed: it was served, or still in flight. */
function isRepeated(earlier: TimelineRequest, request: TimelineRequest): boolean {
  if (request.arrivedAt <= earlier.arrivedAt) return false;
  return earlier.outcome.kind === 'served' || !isAfter(request, earlier);
}

/** Whether a caller repeats texts that did not fail: then an equal text may be other work. */
const repeatsTexts = perTimeline((timeline) =>
  everyChat(timeline).some((one) =>
    chatsForWorkOf(timeline, one).some(
      (other) => sameWork(timeline, one, other) === 'text' && isRepeated(one, other),
    ),
  ),
);

/** Whether a caller asks for equal work twice even where nothing fails. What it sent once in plain use is one work. */
function asksAlike(timeline: Timeline, run: readonly Timeline[], failed: TimelineRequest): boolean {
  if (isWishedTwice(timeline, failed)) return true;
  const before = chatsForWorkOf(timeline, failed).some(
    (chat) => !isAfter(chat, failed) && chat.outcome.kind !== 'refused',
  );
  const times = timesInPlainUse(timeline, run, failed);
  return before || times > 1 || (times === 0 && repeatsTexts(timeline));
}

/** Whether the work of a request may be asked for again without a sign of it: in a text that is new, and shows no item. */
function mayHide(timeline: Timeline, run: readonly Timeline[], request: TimelineRequest): boolean {
  return everyChat(timeline).some(
    (chat) =>
      isAfter(chat, request) &&
      sameWork(timeline, request, chat) === undefined &&
      (itemOf(timeline, request) === undefined || itemOf(timeline, chat) === undefined) &&
      timesInPlainUse(timeline, run, chat) === 0,
  );
}

/** What the judge says if it saw the work of none of these requests again. */
export function unseenAgain(
  timeline: Timeline,
  run: readonly Timeline[],
  failed: readonly TimelineRequest[],
): Ruling {
  return failed.some((one) => mayHide(timeline, run, one)) ? notExercised(HIDDEN, HIDDEN_HINT) : HOLDS;
}

const HIDDEN = 'other texts followed: nothing shows whether one of them was for the same work';
