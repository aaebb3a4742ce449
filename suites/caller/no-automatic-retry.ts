import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { lookupsAfterOutcome, lookupsBetween } from './looks.ts';
import { numbered, violatedBy } from './rulings.ts';
import { chatsAtService, failedChats, isAfter } from './seen-chats.ts';
import { itemOf } from './same-work.ts';
import { sentWhileHeld } from './sent-while-held.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

/**
 * The very same request: its bytes, and its Idempotency-Key or the lack of one. With a fresh key it is a new request,
 * of which CALL-1, CALL-2 and CALL-3 say what holds for it; after a look it is no automatic one.
 */
function isRetry(timeline: Timeline, request: TimelineRequest, failed: TimelineRequest): boolean {
  return (
    isAfter(request, failed) &&
    request.body === failed.body &&
    request.idempotencyKey === failed.idempotencyKey &&
    lookupsAfterOutcome(timeline, failed, request.arrivedAt).length === 0
  );
}

/** With fresh keys a refused request may come again so many times: more often it does not by anybody's choice. */
const MOST_AGAIN = 3;

/**
 * A storm: the bytes of what was unavailable, again and again, each time with a fresh key. Of a caller with wishes of
 * its own they may be as many wishes in equal words.
 */
function judgeStorm(timeline: Timeline, failed: readonly TimelineRequest[]): Ruling | undefined {
  const unavailable = failed.filter(
    ({ outcome: met }) => met.kind === 'refused' && met.why === 'unavailable',
  );
  const storms = unavailable.flatMap((one) => {
    const again = chatsAtService(timeline).filter(
      (chat) =>
        chat.body === one.body &&
        isAfter(chat, one) &&
        lookupsAfterOutcome(timeline, one, chat.arrivedAt).length === 0,
    );
    const last = again[MOST_AGAIN];
    return last === undefined ? [] : [{ one, last, times: again.length }];
  });
  const sure = storms.find(({ one }) => itemOf(timeline, one) !== undefined);
  if (sure !== undefined) {
    const actual = `${numbered(sure.one)} sent again ${sure.times} times, with fresh keys`;
    return violatedBy(timeline, sure.last, 'retried-on-and-on', 'no automatic retry', actual);
  }
  return storms.length === 0
    ? undefined
    : inconclusive('equal requests came again and again: let the wishes of the caller differ in their texts');
}

/** Who sends the work again while an answer is still to come does so by itself; of other providers CALL-2 speaks. */
function judgeWhileHeld(timeline: Timeline): Ruling | undefined {
  const unseen = sentWhileHeld(timeline).filter(
    ({ held, again }) =>
      again.place === 'service' &&
      lookupsBetween(timeline, held, held.arrivedAt, again.arrivedAt).length === 0,
  );
  const sure = unseen.find(({ how }) => how !== 'messages');
  if (sure !== undefined) {
    const actual = `the work of ${numbered(sure.held)} sent again before an answer came`;
    return violatedBy(timeline, sure.again, 'retried', 'no automatic retry', actual);
  }
  return unseen.length === 0
    ? undefined
    : inconclusive('an equal request came while the answer was held back: it may be another wish');
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
        `${numbered(one)} sent again as it was`,
      );
  }
  const worse = judgeStorm(timeline, failed) ?? judgeWhileHeld(timeline);
  if (worse !== undefined) return worse;
  return failed.length === 0 ? notExercised('no completion failed, so there was nothing to retry') : HOLDS;
}

export const noAutomaticRetry: CallerCheck = {
  id: 'no-automatic-retry',
  clauses: ['CALL-6'],
  title: 'retries nothing by itself',
  judge,
};
