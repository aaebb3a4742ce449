import { HEADERS } from '../../../fixtures/chats/chat.ts';
import type { Answer, Outcome } from '../model/exchange.ts';
import { isSuccess, isUnavailable } from '../reading/answers.ts';
import { isErrorBody } from '../reading/errors/disposition.ts';
import { readJson } from '../reading/json.ts';

const WORDS =
  /rate[\s_-]?limit|throttl(?:ed|ing)|slow[\s_-]?down|too[\s_-]?many[\s_-]?(?:concurrent[\s_-]?)?requests|concurrency[\s_-]?limit/i;

/** These statuses may ask to wait for another reason: a key still in flight, and a body too large for now (RFC 9110). */
const WAIT_FOR_OTHER_REASONS: ReadonlySet<number> = new Set([409, 413]);

/** Whether an outcome is a rate limit error, by its status, its Retry-After or its error object. */
export function isRateLimited(outcome: Outcome): boolean {
  if (outcome.kind !== 'answered') return false;
  const { status, headers, body } = outcome.answer;
  if (status === 429) return true;
  const asksToWait = headers[HEADERS.retryAfter] !== undefined && !WAIT_FOR_OTHER_REASONS.has(status);
  if (((status >= 400 && status < 500) || isUnavailable(outcome.answer)) && asksToWait) return true;
  if (isSuccess(outcome.answer)) return asksToWait && holdsError(outcome.answer);
  return status >= 400 && status < 500 && WORDS.test(Buffer.from(body.subarray(0, 1000)).toString('latin1'));
}

/** Statuses are an open point (ERR-9): an error may come with one of success. */
function holdsError(answer: Answer): boolean {
  const body = readJson(answer);
  return body.kind === 'json' && isErrorBody(body.value);
}

/**
 * How long an answer asks to wait, in milliseconds: by Retry-After (RFC 9110), which comes first, or by the fields of the
 * IETF draft on rate limits in any of its forms. Undefined where it does not say.
 */
export function askedWaitMs({ headers }: Pick<Answer, 'headers'>): number | undefined {
  const seconds = retryAfter(headers) ?? resetOfLimit(headers['ratelimit']) ?? resetAlone(headers);
  return seconds === undefined ? undefined : Math.max(0, seconds * 1000);
}

/** Seconds, or a date; one of the target is compared with the clock of the target. */
function retryAfter(headers: Answer['headers']): number | undefined {
  const value = headers[HEADERS.retryAfter]?.trim();
  if (value === undefined || value === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds;
  const now = Date.parse(headers['date'] ?? '');
  const until = Date.parse(value) - (Number.isNaN(now) ? Date.now() : now);
  return Number.isNaN(until) ? undefined : until / 1000;
}

/**
 * `"minute";r=0;t=30, "day";r=900;t=4000`, and before that `limit=10, remaining=0, reset=30`: until the last of the used up
 * limits starts anew. One that is not used up was not the reason.
 */
function resetOfLimit(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const plain = value.replaceAll(/"(?:[^"\\]|\\.)*"?/g, '""');
  const limits = /\bremaining\s*=/i.test(plain) ? [plain] : plain.split(',');
  const waits = limits.flatMap((limit) => {
    const left = numberOf(limit, /(?:[;,\s]|^)(?:r|remaining)\s*=\s*(\d+)/i);
    const reset = numberOf(limit, /(?:[;,\s]|^)(?:t|reset)\s*=\s*(\d+)/i);
    return left === 0 && reset !== undefined ? [reset] : [];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** The first form of the draft: a field for each number. */
function resetAlone(headers: Answer['headers']): number | undefined {
  const left = numberOf(headers['ratelimit-remaining'] ?? '0', /^\s*(\d+)/);
  return left === 0 ? numberOf(headers['ratelimit-reset'] ?? '', /^\s*(\d+)\s*(?:[;,]|$)/) : undefined;
}

function numberOf(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
