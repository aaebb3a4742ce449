import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './judge-caller.ts';
import { failedChats, lookupsAfterOutcome, lookupsBetween } from './observed/chats.ts';
import { numbered, violatedBy } from './observed/evidence.ts';
import { sentAfter, sentWhileHeld } from './observed/in-flight.ts';
import type { TimelineRequest, Timeline } from './observed/timeline.ts';
import { asksAlike, HIDDEN, HIDDEN_HINT, isSameAsk, itemOf, mayHide, sameWork } from './observed/work.ts';

/**
 * A retry asks for the very same, with the same Idempotency-Key or none. With a fresh key it is a new request, to which
 * CALL-1, CALL-2 and CALL-3 apply; after a workspace lookup it is not automatic.
 */
function retryOf(timeline: Timeline, failed: TimelineRequest): TimelineRequest | undefined {
  return sentAfter(timeline, failed).find(
    (chat) =>
      chat.place === 'service' &&
      isSameAsk(chat, failed) &&
      chat.idempotencyKey === failed.idempotencyKey &&
      lookupsAfterOutcome(timeline, failed, chat.arrivedAt).length === 0,
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
    const again = sentAfter(timeline, one).filter(
      (chat) =>
        chat.place === 'service' &&
        isSameAsk(chat, one) &&
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
  const sure = unseen.find(({ how }) => how !== 'text');
  if (sure !== undefined) {
    const actual = `the work of ${numbered(sure.held)} sent again before its answer came`;
    return violatedBy(timeline, sure.again, 'retried', 'no automatic retry', actual);
  }
  return unseen.length === 0
    ? undefined
    : inconclusive('an equal request arrived while the answer was held: it may be other work');
}

const ALIKE = 'it sends equal requests also where none fails: let each piece of its work have its own text';

function judgeRetries(
  timeline: Timeline,
  run: readonly Timeline[],
  failed: readonly TimelineRequest[],
): Ruling | undefined {
  let doubt: Ruling | undefined;
  for (const one of failed) {
    const retry = retryOf(timeline, one);
    if (retry === undefined) continue;
    const actual = `${numbered(one)} sent again unchanged`;
    if (sameWork(timeline, one, retry) !== 'text' || !asksAlike(timeline, run, one))
      return violatedBy(timeline, retry, 'retried', 'no automatic retry', actual);
    doubt ??= inconclusive(ALIKE);
  }
  return doubt;
}

function judge(timeline: Timeline, run: readonly Timeline[]): Ruling {
  const failed = failedChats(timeline);
  const retried = judgeRetries(timeline, run, failed);
  if (retried?.kind === 'violated') return retried;
  const worse = judgeStorm(timeline, failed) ?? judgeWhileHeld(timeline) ?? retried;
  if (worse !== undefined) return worse;
  if (failed.length === 0) return notExercised('no completion failed, so there was nothing to retry');
  const isHidden = failed.some((one) => one.idempotencyKey === undefined && mayHide(timeline, one));
  return isHidden ? notExercised(HIDDEN, HIDDEN_HINT) : HOLDS;
}

export const noAutomaticRetry: CallerCheck = {
  id: 'no-automatic-retry',
  clauses: ['CALL-6'],
  title: 'retries nothing automatically',
  judge,
};
