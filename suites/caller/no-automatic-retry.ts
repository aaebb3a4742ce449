import { inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import { type CallerCheck, worstOf } from './judge-caller.ts';
import { failedBy, failedChats, lookupsAfterOutcome, lookupsBetween } from './observed/chats.ts';
import { numbered, violatedBy } from './observed/evidence.ts';
import { sentAfter, sentBeside, sentWhileHeld, type SentWhileHeld } from './observed/in-flight.ts';
import { surplusIn } from './observed/surplus.ts';
import type { TimelineRequest, Timeline } from './observed/timeline.ts';
import { ALIKE, isSameAsk, itemOf, otherWorkThan, unseenAgain } from './observed/work.ts';

/** No person reads an error, looks the request up and sends it again this soon. */
const AUTOMATIC_MS = 2000;

/** The requests for the very same as a failed one, sent after its answer without a workspace lookup. */
function retriesOf(timeline: Timeline, failed: TimelineRequest): readonly TimelineRequest[] {
  return sentAfter(timeline, failed).filter(
    (chat) =>
      chat.place === 'service' &&
      isSameAsk(chat, failed) &&
      lookupsAfterOutcome(timeline, failed, chat.arrivedAt).length === 0,
  );
}

/**
 * With the same Idempotency-Key, or none, it is a retry whenever it comes. With a fresh one it may be a new request: soon
 * after an uncertain outcome it is automatic all the same, after a refusal the application may have decided on it.
 */
function isSureRetry(failed: TimelineRequest, again: TimelineRequest): boolean {
  if (again.idempotencyKey === failed.idempotencyKey) return true;
  const { knownAt = Infinity, outcome } = failed;
  return outcome.kind === 'uncertain' && again.arrivedAt <= knownAt + AUTOMATIC_MS;
}

function judgeRetries(
  timeline: Timeline,
  run: readonly Timeline[],
  failed: TimelineRequest,
): readonly Ruling[] {
  const retries = retriesOf(timeline, failed);
  const again = retries.find((one) => isSureRetry(failed, one)) ?? retries[0];
  if (again === undefined) return [];
  if (otherWorkThan(timeline, run, failed)(again)) return [inconclusive(ALIKE)];
  const how = again.idempotencyKey === failed.idempotencyKey ? 'unchanged' : 'with a fresh key';
  const actual = `${numbered(failed)} sent again ${how}`;
  const ruling = isSureRetry(failed, again)
    ? violatedBy(timeline, again, 'retried', 'no automatic retry', actual)
    : inconclusive(`${actual}: nothing shows whether that was automatic`);
  return [ruling];
}

/** How often a refused request may be sent again with fresh keys before that is taken for automatic. */
const MOST_REPETITIONS = 3;

/** A storm: a request that met an unavailable service, again and again, each time with a fresh key. */
function judgeStorm(timeline: Timeline, failed: TimelineRequest): readonly Ruling[] {
  const { outcome } = failed;
  if (outcome.kind !== 'refused' || outcome.why !== 'unavailable') return [];
  const again = retriesOf(timeline, failed);
  const last = again[MOST_REPETITIONS];
  // From a caller that does not do the task, equal requests may be separate work.
  if (last === undefined || itemOf(timeline, failed) === undefined) return [];
  const actual = `${numbered(failed)} sent again ${again.length} times, with fresh keys`;
  return [violatedBy(timeline, last, 'retried-on-and-on', 'no automatic retry', actual)];
}

/** Work that is sent again before its answer is retried automatically; CALL-2 covers other providers. */
function judgeWhileHeld(timeline: Timeline, { held, again, how }: SentWhileHeld): readonly Ruling[] {
  if (again.place !== 'service') return [];
  if (lookupsBetween(timeline, held, held.arrivedAt, again.arrivedAt).length > 0) return [];
  if (how === 'text')
    return [inconclusive('an equal request arrived while the answer was held: it may be other work')];
  const actual = `the work of ${numbered(held)} sent again before its answer came`;
  return [violatedBy(timeline, again, 'retried', 'no automatic retry', actual)];
}

/** Whether the very same was in flight beside a request that failed: it may be a retry that did not wait. */
function judgeBeside(timeline: Timeline, failed: TimelineRequest): readonly Ruling[] {
  return sentBeside(timeline, failed)
    .filter((chat) => chat.place === 'service' && isSameAsk(chat, failed))
    .map((chat) => inconclusive(`${numbered(failed)} failed while ${numbered(chat)} asked for the same`));
}

/** After a refusal the application may decide on other words, under a fresh key. */
function mustNotComeInOtherWords({ idempotencyKey, outcome }: TimelineRequest): boolean {
  return idempotencyKey === undefined || outcome.kind === 'uncertain';
}

function judge(timeline: Timeline, run: readonly Timeline[]): Ruling {
  const failed = failedChats(timeline);
  const rulings = [
    ...surplusIn(timeline, run).map(inconclusive),
    ...failed.flatMap((one) => [
      ...judgeStorm(timeline, one),
      ...judgeRetries(timeline, run, one),
      ...judgeBeside(timeline, one),
    ]),
    ...sentWhileHeld(timeline).flatMap((sent) => judgeWhileHeld(timeline, sent)),
  ];
  const worst = worstOf(rulings);
  if (worst !== undefined) return worst;
  if (failed.length === 0) return notExercised('no completion failed, so there was nothing to retry');
  return unseenAgain(timeline, run, failed.filter(mustNotComeInOtherWords));
}

export const noAutomaticRetry: CallerCheck = {
  id: 'no-automatic-retry',
  clauses: ['CALL-6'],
  title: 'retries nothing automatically',
  decides: {
    'retries nothing after a rate limit error': failedBy('rate-limit'),
    'retries nothing after another refusal': failedBy('unavailable', 'token-limit', 'unknown-model', 'other'),
    'retries nothing after a lost answer': failedBy('gateway', 'cut', 'no-answer'),
  },
  judge,
};
