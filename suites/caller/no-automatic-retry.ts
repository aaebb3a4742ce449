import { inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import { type CallerCheck, worstOf } from './judge-caller.ts';
import { failedBy, failedChats } from './observed/chats.ts';
import { numbered, violatedBy } from './observed/evidence.ts';
import { sentAgain, type SentAgain, unseenAgain } from './observed/sent-again.ts';
import { surplusIn } from './observed/surplus.ts';
import type { TimelineRequest, Timeline } from './observed/timeline.ts';
import { isSameAsk, itemOf } from './observed/work.ts';

/** No person reads an error, looks the request up and sends it again this soon. */
const AUTOMATIC_MS = 2000;

/** What was asked for again at the service without a workspace lookup in between; CALL-2 covers other providers. */
function retriesIn(timeline: Timeline, run: readonly Timeline[]): readonly SentAgain[] {
  return sentAgain(timeline, run).filter(
    ({ first, again, when, lookup }) =>
      again.place === 'service' && lookup === undefined && (when === 'while-held' || isSameAsk(again, first)),
  );
}

/**
 * With the same Idempotency-Key, or none, it is a retry whenever it comes. With a fresh one it may be a new request: soon
 * after an uncertain outcome it is automatic all the same, after a refusal the application may have decided on it.
 */
function isSureRetry({ first, again, when }: SentAgain): boolean {
  if (when === 'while-held' || again.idempotencyKey === first.idempotencyKey) return true;
  const { knownAt = Infinity, outcome } = first;
  return outcome.kind === 'uncertain' && again.arrivedAt <= knownAt + AUTOMATIC_MS;
}

function judgeRetry(timeline: Timeline, retry: SentAgain): Ruling {
  const { first, again, when, doubt } = retry;
  if (doubt !== undefined) return inconclusive(doubt);
  const key = again.idempotencyKey === first.idempotencyKey ? 'unchanged' : 'with a fresh key';
  const how = when === 'while-held' ? 'before its answer came' : key;
  const actual = `${numbered(first)} sent again ${how}`;
  return isSureRetry(retry)
    ? violatedBy(timeline, again, 'retried', 'no automatic retry', actual)
    : inconclusive(`${actual}: nothing shows whether that was automatic`);
}

/** How often a refused request may be sent again with fresh keys before that is taken for automatic. */
const MOST_REPETITIONS = 3;

/** A storm: a request that met an unavailable service, again and again, each time with a fresh key. */
function judgeStorm(timeline: Timeline, retries: readonly SentAgain[]): readonly Ruling[] {
  const afterwards = retries.filter(({ when }) => when === 'after');
  return [...Map.groupBy(afterwards, ({ first }) => first)].flatMap(([first, all]) => {
    const { outcome } = first;
    if (outcome.kind !== 'refused' || outcome.why !== 'unavailable') return [];
    const last = all[MOST_REPETITIONS];
    // From a caller that does not do the task, equal requests may be separate work.
    if (last === undefined || itemOf(timeline, first) === undefined) return [];
    const actual = `${numbered(first)} sent again ${all.length} times, with fresh keys`;
    return [violatedBy(timeline, last.again, 'retried-on-and-on', 'no automatic retry', actual)];
  });
}

/** After a refusal the application may decide on other words, under a fresh key. */
function mustNotComeInOtherWords({ idempotencyKey, outcome }: TimelineRequest): boolean {
  return idempotencyKey === undefined || outcome.kind === 'uncertain';
}

function judge(timeline: Timeline, run: readonly Timeline[]): Ruling {
  const failed = failedChats(timeline);
  const retries = retriesIn(timeline, run);
  const rulings = [
    ...surplusIn(timeline, run).map(inconclusive),
    ...judgeStorm(timeline, retries),
    ...retries.map((retry) => judgeRetry(timeline, retry)),
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
