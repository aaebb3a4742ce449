import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { RunOptions } from '../model/run.ts';
import { answered } from '../test-support/exchange.ts';
import { RateLimiter } from './rate-limiter.ts';

const OK = answered();
const limitedFor = (seconds: number) => answered({ status: 429, headers: { 'retry-after': `${seconds}` } });
const LIMITED = limitedFor(0);
const LOST = { ...OK, outcome: { kind: 'uncertain', reason: 'lost' } } as const;

/** How many of ten requests are let out at once, of which each leaves its place to another. */
async function lettingOut(limiter: RateLimiter): Promise<number> {
  const mayEnd = Promise.withResolvers<void>();
  let begun = 0;
  const all = Array.from({ length: 10 }, () =>
    limiter.send(() => {
      begun += 1;
      return mayEnd.promise;
    }),
  );
  await nextTurn();
  const atOnce = begun;
  mayEnd.resolve();
  await Promise.all(all);
  expect(begun).toBe(10);
  return atOnce;
}

test.each([
  [4, 'at its beginning', 4, []],
  [2, 'a rate limit error', 4, [LIMITED]],
  [1, 'several', 4, [LIMITED, LIMITED, LIMITED, LIMITED]],
  [2, 'a full round of answers after it', 2, [LIMITED, OK]],
  [2, 'more than that', 2, [LIMITED, OK, OK, OK]],
  [1, 'a round after the second', 2, [LIMITED, LIMITED, OK]],
  [2, 'two rounds after the second', 2, [LIMITED, LIMITED, OK, OK, OK]],
  [1, 'uncertain outcomes after it', 2, [LIMITED, LOST, LOST]],
])('lets out %i at once given %s', async (atOnce, _, concurrency, exchanges) => {
  const limiter = new RateLimiter({ concurrency });
  for (const each of exchanges) limiter.note(each, 1);
  expect(await lettingOut(limiter)).toBe(atOnce);
});

const LAST = [LIMITED, 5] as const;
const IN_A_ROW = '3 requests in a row got nothing but rate limit errors';

test.each([
  [undefined, 'one of five attempts', [[LIMITED, 4]]],
  [undefined, 'an answer in between', [LAST, LAST, [OK, 1], LAST]],
  [IN_A_ROW, 'requests in a row', [LAST, LAST, [LOST, 1], LAST]],
  ['the target asks to wait 3600 s before anything more is sent', 'a long wait', [[limitedFor(3600), 1]]],
] as const)('ends with %s given %s', (ended, _, exchanges) => {
  const limiter = new RateLimiter({ concurrency: 1 });
  for (const [exchange, attempt] of exchanges) limiter.note(exchange, attempt);
  expect(limiter.ended).toBe(ended);
});

test.each([
  [true, LIMITED, 4],
  [false, LIMITED, 5],
  [false, limitedFor(3600), 1],
  [false, OK, 1],
  [false, LOST, 1],
])('lets a request be sent again: %j', (isAgain, exchange, attempt) => {
  expect(new RateLimiter({ concurrency: 1 }).note(exchange, attempt)).toBe(isAgain);
});

/** How many of three requests are cleared so many milliseconds after so many others left without being cleared. */
async function clearedAfter(
  ms: number,
  before: number,
  options: Pick<RunOptions, 'pace' | 'signal'>,
): Promise<number> {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const end = new AbortController();
  const limiter = new RateLimiter({ concurrency: 1, signal: end.signal, ...options });
  for (let nth = 0; nth < before; nth += 1) limiter.noteLeft();
  vi.advanceTimersByTime(ms);
  let cleared = 0;
  const all = [1, 2, 3].map(() => limiter.cleared().then(() => (cleared += 1)));
  await nextTurn();
  const atOnce = cleared;
  end.abort();
  await Promise.all(all);
  return atOnce;
}

const pace = { requests: 4, perMs: 1000 };

test.each([
  [3, 'without a pace', 0, 9, {}],
  [3, 'in a run that was interrupted', 0, 9, { pace, signal: AbortSignal.abort() }],
  [1, 'at a pace', 0, 0, { pace }],
  [0, 'before the next place', 249, 1, { pace }],
  [1, 'at the next place', 250, 1, { pace }],
  [0, 'before the place after those that were not cleared', 749, 3, { pace }],
  [1, 'after those', 750, 3, { pace }],
  [0, 'within the window in which too many left', 999, 50, { pace }],
  [1, 'after that window', 1000, 50, { pace }],
])('clears %i of three requests %s', async (count, _, ms, before, options) => {
  expect(await clearedAfter(ms, before, options)).toBe(count);
});

test('tells of each wait of a second or more, once for all the requests that it holds back', () => {
  const waits: number[] = [];
  const limiter = new RateLimiter({ concurrency: 4, onWait: (ms) => void waits.push(ms) });
  for (const seconds of [0.5, 30, 30, 90]) limiter.note(limitedFor(seconds), 1);
  expect(waits).toEqual([30_000, 90_000]);
});
