import { inconclusive, type Ruling } from '../engine/model/ruling.ts';
import { failedBy, failedChats, isUncertain } from './chats.ts';
import { numbered, violatedBy } from './evidence.ts';
import { type CallerCheck, CLIENT_SETTINGS } from './judge-caller.ts';
import { isSameAsk, judgeAgain, sentAgain, type SentAgain } from './sent-again.ts';
import { UNCERTAIN } from './timeline.ts';

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
function isSureRetry({ first, again, when, doubt }: SentAgain): boolean {
  if (doubt !== undefined) return false;
  if (when === 'while-held' || again.idempotencyKey === first.idempotencyKey) return true;
  const { knownAt = Infinity } = first;
  return isUncertain(first) && again.arrivedAt <= knownAt + AUTOMATIC_MS;
}

function judgeRetry(retry: SentAgain): Ruling {
  const { first, again, when, doubt } = retry;
  if (doubt !== undefined) return inconclusive(doubt);
  const key = again.idempotencyKey === first.idempotencyKey ? 'unchanged' : 'with a fresh key';
  const how = when === 'while-held' ? 'before its answer came' : key;
  const actual = `${numbered(first)} sent again ${how}`;
  return isSureRetry(retry)
    ? violatedBy(again, 'retried', 'no automatic retry', actual)
    : inconclusive(`${actual}: nothing shows whether that was automatic`);
}

/** How often a refused request may be sent again with fresh keys before that is taken for automatic. */
const MOST_REPETITIONS = 3;

/** A storm: a request that met an unavailable service, again and again, each time with a fresh key. */
function judgeStorm(retries: readonly SentAgain[]): readonly Ruling[] {
  // From a caller that does not do the task, equal requests may be separate work.
  const stormy = retries.filter(
    ({ first: { item, outcome }, when, lookup }) =>
      when === 'after' && lookup === undefined && item !== undefined && outcome === 'unavailable',
  );
  const last = stormy[MOST_REPETITIONS];
  if (last === undefined) return [];
  const actual = `${numbered(last.first)} sent again ${stormy.length} times, with fresh keys`;
  return [violatedBy(last.again, 'retried-on-and-on', 'no automatic retry', actual)];
}

/** Of what was sent again in place of one request, the plainest says enough. */
function judgeRetries(retries: readonly SentAgain[]): readonly Ruling[] {
  const plainest = retries.find(isSureRetry) ?? retries[0];
  return [...judgeStorm(retries), ...(plainest === undefined ? [] : [judgeRetry(plainest)])];
}

export const noAutomaticRetry: CallerCheck = {
  id: 'no-automatic-retry',
  clauses: ['CALL-6'],
  title: 'retries nothing automatically',
  remedy: CLIENT_SETTINGS,
  decides: {
    'retries nothing after a rate limit error': failedBy('rate-limit'),
    'retries nothing after another refusal': failedBy('unavailable', 'token-limit', 'unknown-model', 'other'),
    'retries nothing after a lost answer': failedBy(...UNCERTAIN),
  },
  judge: (timeline) => {
    const byFirst = Map.groupBy(sentAgain(timeline).filter(isRetry), ({ first }) => first);
    const rulings = [...byFirst.values()].flatMap(judgeRetries);
    const none = 'no completion failed, so there was nothing to retry';
    return judgeAgain(timeline, failedChats(timeline), rulings, none);
  },
};
