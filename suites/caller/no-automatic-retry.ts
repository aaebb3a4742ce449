import { HOLDS, notExercised, type Ruling } from '../kit/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { looksAt } from './looks.ts';
import { numbered, violatedBy } from './rulings.ts';
import { chatsAtService, failedChats, isAfter } from './seen-chats.ts';
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
  return failed.length === 0 ? notExercised('no completion failed, so there was nothing to retry') : HOLDS;
}

export const noAutomaticRetry: CallerCheck = {
  id: 'no-automatic-retry',
  clauses: ['CALL-6'],
  title: 'retries nothing by itself',
  judge,
};
