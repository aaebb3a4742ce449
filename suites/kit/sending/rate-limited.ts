import type { Exchange, Outcome } from '../exchange.ts';

const WORDS = /rate[\s_-]?limit|too[\s_-]?many[\s_-]?(?:concurrent[\s_-]?)?requests|concurrency[\s_-]?limit/i;

/** Whether an outcome is a rate limit error: by the convention's status, or by what the error object says. */
export function isRateLimited(outcome: Outcome): boolean {
  if (outcome.kind !== 'answered') return false;
  const { status, body } = outcome.answer;
  if (status === 429) return true;
  return status >= 400 && WORDS.test(Buffer.from(body.subarray(0, 1000)).toString('latin1'));
}

/** How long to wait before trying again, in milliseconds: what the target asks for, within reason. */
export function retryAfterMs(exchange: Exchange): number {
  if (exchange.outcome.kind !== 'answered') return 0;
  const value = exchange.outcome.answer.headers['retry-after'];
  const seconds = value === undefined ? Number.NaN : Number(value);
  const wanted = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value ?? '') - Date.now();
  return Number.isFinite(wanted) ? Math.min(Math.max(wanted, 0), LONGEST_WAIT_MS) : DEFAULT_WAIT_MS;
}

const LONGEST_WAIT_MS = 30_000;
const DEFAULT_WAIT_MS = 1000;
