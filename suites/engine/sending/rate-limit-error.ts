import { HEADERS } from '../../../fixtures/chats/chat.ts';
import type { Answer, Outcome } from '../model/exchange.ts';
import { isSuccess, isUnavailable } from '../reading/answers.ts';
import { isErrorBody } from '../reading/errors/disposition.ts';
import { readJson, remembering } from '../reading/json.ts';
import { latin1 } from './sent-request.ts';

const WORDS =
  /rate[\s_-]?limit|throttl(?:ed|ing)|slow[\s_-]?down|too[\s_-]?many[\s_-]?(?:concurrent[\s_-]?)?requests|concurrency[\s_-]?limit/i;

/** These statuses may ask to wait for another reason: a key still in flight, and a body too large for now (RFC 9110). */
const WAIT_FOR_OTHER_REASONS: ReadonlySet<number> = new Set([409, 413]);

/** Whether an outcome is a rate limit error, by its status, its Retry-After or its error object. Read once. */
export const isRateLimited: (outcome: Outcome) => boolean = remembering(read, () => 0);

function read(outcome: Outcome): boolean {
  if (outcome.kind !== 'answered') return false;
  const { status, headers, body } = outcome.answer;
  if (status === 429) return true;
  const asksToWait = headers[HEADERS.retryAfter] !== undefined && !WAIT_FOR_OTHER_REASONS.has(status);
  if (isSuccess(outcome.answer)) return asksToWait && holdsError(outcome.answer);
  const mayBeLimit = (status >= 400 && status < 500) || isUnavailable(outcome.answer);
  return mayBeLimit && (asksToWait || WORDS.test(latin1(body.subarray(0, 1000))));
}

/** Statuses are an open point (ERR-9): an error may come with one of success. */
function holdsError(answer: Answer): boolean {
  const body = readJson(answer);
  return body.kind === 'json' && isErrorBody(body.value);
}

/**
 * How long an answer asks to wait, in milliseconds, by Retry-After (RFC 9110): seconds, or a date; one of the target is
 * compared with the clock of the target. Undefined where it does not say.
 */
export function askedWaitMs({ headers }: Pick<Answer, 'headers'>): number | undefined {
  const value = headers[HEADERS.retryAfter]?.trim() ?? '';
  if (value === '') return undefined;
  const seconds = Number(value);
  const now = Date.parse(headers['date'] ?? '') || Date.now();
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
