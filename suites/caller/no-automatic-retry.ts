import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { looksAt, looksBetween } from './looks.ts';
import { numbered, violatedBy } from './rulings.ts';
import { chatsAtService, failedChats, isAfter } from './seen-chats.ts';
import { sentWhileHeld } from './sent-while-held.ts';
import type { SeenRequest, Timeline } from './timeline.ts';

/**
 * The very same request: its bytes, and its Idempotency-Key or the lack of one. With a fresh key it is a new request,
 * of which CALL-1, CALL-2 and CALL-3 say what holds for it; after a look it is no automatic one.
 */
function isRetry(timeline: Timeline, request: SeenRequest, failed: SeenRequest): boolean {
  return (
    isAfter(request, failed) &&
    request.body === failed.body &&
    request.idempotencyKey === failed.idempotencyKey &&
    looksAt(timeline, failed, request.arrivedAt).length === 0
  );
}

/** Who sends the work again while an answer is still to come does so by itself. */
function judgeWhileHeld(timeline: Timeline): Ruling | undefined {
  const unseen = sentWhileHeld(timeline).filter(
    ({ held, again }) => looksBetween(timeline, held, held.arrivedAt, again.arrivedAt).length === 0,
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
  const whileHeld = judgeWhileHeld(timeline);
  if (whileHeld !== undefined) return whileHeld;
  return failed.length === 0 ? notExercised('no completion failed, so there was nothing to retry') : HOLDS;
}

export const noAutomaticRetry: CallerCheck = {
  id: 'no-automatic-retry',
  clauses: ['CALL-6'],
  title: 'retries nothing by itself',
  judge,
};
