import { inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { type CallerCheck, CLIENT_SETTINGS, worstOf } from './judge-caller.ts';
import { type Chat, failedBy, failedChats } from './observed/chats.ts';
import { numbered, violatedBy } from './observed/evidence.ts';
import { mayHideAgain, unseenAgain } from './observed/hidden-work.ts';
import { isSameAsk, sentAgain, type SentAgain } from './observed/sent-again.ts';
import type { Timeline } from './observed/timeline.ts';

/** No person reads an error, looks the request up and sends it again this soon. */
const AUTOMATIC_MS = 2000;

/** What was asked for again at the service without a workspace lookup in between; CALL-2 covers other providers. */
function isRetry({ first, again, when, lookup }: SentAgain): boolean {
  return (
    again.place === 'service' && lookup === undefined && (when === 'while-held' || isSameAsk(again, first))
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
  // From a caller that does not do the task, equal requests may be separate work.
  const stormy = retries.filter(
    ({ first: { item, outcome }, when }) =>
      when === 'after' && item !== undefined && outcome.kind === 'refused' && outcome.why === 'unavailable',
  );
  const last = stormy[MOST_REPETITIONS];
  if (last === undefined) return [];
  const actual = `${numbered(last.first)} sent again ${stormy.length} times, with fresh keys`;
  return [violatedBy(timeline, last.again, 'retried-on-and-on', 'no automatic retry', actual)];
}

/** Of what was sent again in place of one request, the plainest says enough. */
function judgeRetries(timeline: Timeline, retries: readonly SentAgain[]): readonly Ruling[] {
  const sure = retries.find((retry) => retry.doubt === undefined && isSureRetry(retry));
  const plainest = [sure ?? retries[0]].filter((retry) => retry !== undefined);
  return [...judgeStorm(timeline, retries), ...plainest.map((retry) => judgeRetry(timeline, retry))];
}

/** After a refusal the application may decide on other words, under a fresh key. */
function mustNotComeInOtherWords({ idempotencyKey, outcome }: Chat): boolean {
  return idempotencyKey === undefined || outcome.kind === 'uncertain';
}

function judge(timeline: Timeline, run: readonly Timeline[]): Ruling {
  const failed = failedChats(timeline);
  const retries = sentAgain(timeline, run).filter(isRetry);
  const worst = worstOf([
    ...mayHideAgain(timeline, run).map(inconclusive),
    ...[...Map.groupBy(retries, ({ first }) => first).values()].flatMap((same) =>
      judgeRetries(timeline, same),
    ),
  ]);
  if (worst !== undefined) return worst;
  if (failed.length === 0) return notExercised('no completion failed, so there was nothing to retry');
  return unseenAgain(timeline, run, failed.filter(mustNotComeInOtherWords));
}

export const noAutomaticRetry: CallerCheck = {
  id: 'no-automatic-retry',
  clauses: ['CALL-6'],
  title: 'retries nothing automatically',
  remedy: CLIENT_SETTINGS,
  decides: {
    'retries nothing after a rate limit error': failedBy('rate-limit'),
    'retries nothing after another refusal': failedBy('unavailable', 'token-limit', 'unknown-model', 'other'),
    'retries nothing after a lost answer': failedBy('gateway', 'cut', 'no-answer'),
  },
  judge,
};
