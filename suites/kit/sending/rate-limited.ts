import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Answer, Outcome } from '../model/exchange.ts';
import { isErrorBody } from '../reading/errors/disposition.ts';
import { isSuccess } from '../reading/answers.ts';
import { readJson } from '../reading/json.ts';

const WORDS =
  /rate[\s_-]?limit|throttl(?:ed|ing)|slow[\s_-]?down|too[\s_-]?many[\s_-]?(?:concurrent[\s_-]?)?requests|concurrency[\s_-]?limit/i;

/** Refusals that may ask to wait as well: a key still in flight, and a body too large for now (RFC 9110). */
const WAIT_FOR_OTHER_REASONS: ReadonlySet<number> = new Set([409, 413]);

/**
 * Whether an outcome is a rate limit error: by the convention's status, by a refusal that says when to come again,
 * whatever its status, or by what the error object says.
 */
export function isRateLimited(outcome: Outcome): boolean {
  if (outcome.kind !== 'answered') return false;
  const { status, headers, body } = outcome.answer;
  if (status === 429) return true;
  const asksToWait = headers[HEADERS.retryAfter] !== undefined && !WAIT_FOR_OTHER_REASONS.has(status);
  if (status >= 400 && status < 500 && asksToWait) return true;
  if (isSuccess(outcome.answer)) return asksToWait && tellsError(outcome.answer);
  return status >= 400 && status < 500 && WORDS.test(Buffer.from(body.subarray(0, 1000)).toString('latin1'));
}

/** Statuses are not shown (ERR-9): an error may come with one of success. */
function tellsError(answer: Answer): boolean {
  const body = readJson(answer);
  return body.kind === 'json' && isErrorBody(body.value);
}

const UNASKED_WAIT_MS = 500;

/** How long the target asks to wait before it is sent anything again, in milliseconds; `unasked` where it does not say. */
export function retryAfterMs({ headers }: Pick<Answer, 'headers'>, unasked = UNASKED_WAIT_MS): number {
  const value = headers[HEADERS.retryAfter];
  const seconds = value === undefined ? Number.NaN : Number(value);
  const wanted = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value ?? '') - Date.now();
  return Number.isFinite(wanted) ? Math.max(wanted, 0) : unasked;
}
