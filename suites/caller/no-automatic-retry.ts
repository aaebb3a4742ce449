import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import {
  lookupsAfterOutcome,
  lookupsBetween,
  chatsAtService,
  failedChats,
  isAfter,
  itemOf,
  sentWhileHeld,
} from './chats.ts';
import { numbered, violatedBy } from './evidence.ts';
import type { CallerCheck } from './judge-caller.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

/**
 * A retry is the very same request, with the same Idempotency-Key or none. With a fresh key it is a new request, to
 * which CALL-1, CALL-2 and CALL-3 apply; after a workspace lookup it is not automatic.
 */
function isRetry(timeline: Timeline, request: TimelineRequest, failed: TimelineRequest): boolean {
  return (
    isAfter(request, failed) &&
    request.body === failed.body &&
    request.idempotencyKey === failed.idempotencyKey &&
    lookupsAfterOutcome(timeline, failed, request.arrivedAt).length === 0
  );
}

/** How often a refused request may be sent again with fresh keys before that is taken for automatic. */
const MOST_REPETITIONS = 3;

/**
 * A storm: a request that met an unavailable service, again and again, each time with a fresh key. From a caller that
 * does not do the task, equal requests may be separate work.
 */
function judgeStorm(timeline: Timeline, failed: readonly TimelineRequest[]): Ruling | undefined {
  const unavailable = failed.filter(
    ({ outcome }) => outcome.kind === 'refused' && outcome.why === 'unavailable',
  );
  const storms = unavailable.flatMap((one) => {
    const again = chatsAtService(timeline).filter(
      (chat) =>
        chat.body === one.body &&
        isAfter(chat, one) &&
        lookupsAfterOutcome(timeline, one, chat.arrivedAt).length === 0,
    );
    const last = again[MOST_REPETITIONS];
    return last === undefined ? [] : [{ one, last, times: again.length }];
  });
  const sure = storms.find(({ one }) => itemOf(timeline, one) !== undefined);
  if (sure !== undefined) {
    const actual = `${numbered(sure.one)} sent again ${sure.times} times, with fresh keys`;
    return violatedBy(timeline, sure.last, 'retried-on-and-on', 'no automatic retry', actual);
  }
  return storms.length === 0
    ? undefined
    : inconclusive('it sent equal requests again and again: let each piece of its work have its own text');
}

/** Work that is sent again before its answer is retried automatically; CALL-2 covers other providers. */
function judgeWhileHeld(timeline: Timeline): Ruling | undefined {
  const unseen = sentWhileHeld(timeline).filter(
    ({ held, again }) =>
      again.place === 'service' &&
      lookupsBetween(timeline, held, held.arrivedAt, again.arrivedAt).length === 0,
  );
  const sure = unseen.find(({ how }) => how !== 'messages');
  if (sure !== undefined) {
    const actual = `the work of ${numbered(sure.held)} sent again before its answer came`;
    return violatedBy(timeline, sure.again, 'retried', 'no automatic retry', actual);
  }
  return unseen.length === 0
    ? undefined
    : inconclusive('an equal request arrived while the answer was held: it may be other work');
}

function judge(timeline: Timeline): Ruling {
  const failed = failedChats(timeline);
  for (const one of failed) {
    const retry = chatsAtService(timeline).find((chat) => isRetry(timeline, chat, one));
    if (retry !== undefined)
      return violatedBy(
        timeline,
        retry,
        'retried',
        'no automatic retry',
        `${numbered(one)} sent again unchanged`,
      );
  }
  const worse = judgeStorm(timeline, failed) ?? judgeWhileHeld(timeline);
  if (worse !== undefined) return worse;
  return failed.length === 0 ? notExercised('no completion failed, so there was nothing to retry') : HOLDS;
}

export const noAutomaticRetry: CallerCheck = {
  id: 'no-automatic-retry',
  clauses: ['CALL-6'],
  title: 'retries nothing automatically',
  judge,
};
