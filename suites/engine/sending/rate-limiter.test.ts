import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../test-support/exchange.ts';
import { Halt } from './halt.ts';
import { ConcurrencyLimiter, durationAt, isRateLimited, Pacemaker, RateLimiter } from './rate-limiter.ts';

test('admits no more than its limit at once', async () => {
  const limiter = new ConcurrencyLimiter(2);
  expect(limiter.acquire()).toBeUndefined();
  expect(limiter.acquire()).toBeUndefined();
  let third = false;
  const waits = Promise.resolve(limiter.acquire()).then(() => {
    third = true;
  });
  await Promise.resolve();
  expect(third).toBe(false);
  limiter.release();
  await waits;
  expect(third).toBe(true);
});

test('halves its limit when decreased, down to one', () => {
  const limiter = new ConcurrencyLimiter(4);
  limiter.decrease();
  limiter.decrease();
  limiter.decrease();
  limiter.decrease();
  expect(limiter.acquire()).toBeUndefined();
  expect(limiter.acquire()).toBeInstanceOf(Promise);
});

test('rises by one for a full round of answers, up to where it began', () => {
  const limiter = new ConcurrencyLimiter(2);
  limiter.decrease();
  limiter.increase();
  limiter.increase();
  limiter.increase();
  expect(limiter.acquire()).toBeUndefined();
  expect(limiter.acquire()).toBeUndefined();
  expect(limiter.acquire()).toBeInstanceOf(Promise);
});

test('rises more slowly after each further decrease', () => {
  const limiter = new ConcurrencyLimiter(2);
  limiter.decrease();
  limiter.decrease();
  limiter.increase();
  expect([limiter.acquire(), limiter.acquire()]).toEqual([undefined, expect.any(Promise)]);
  limiter.increase();
  limiter.increase();
  expect(limiter.acquire()).toBeUndefined();
});

test('clears requests at the pace, and takes those into account that were not cleared', async () => {
  const limiter = new RateLimiter({ concurrency: 4, pace: { requests: 2, perMs: 100 } }, new Halt());
  const order: string[] = [];
  limiter.noteLeft();
  const cleared = Promise.all(['a', 'b'].map(async (name) => limiter.cleared().then(() => order.push(name))));
  await limiter.resumed();
  order.push('resumed');
  await cleared;
  expect([order[0], order.length]).toEqual(['resumed', 3]);
});

test('clears everything at once given a run that was interrupted', async () => {
  const signal = AbortSignal.abort();
  const limiter = new RateLimiter(
    { concurrency: 1, pace: { requests: 1, perMs: 3_600_000 }, signal },
    new Halt(),
  );
  await limiter.cleared();
  await expect(limiter.cleared()).resolves.toBeUndefined();
});

test('spaces requests evenly given a pace', () => {
  const pacemaker = new Pacemaker({ requests: 4, perMs: 1000 });
  expect(pacemaker.leftMs(0)).toBe(0);
  pacemaker.take(0);
  expect([pacemaker.leftMs(0), pacemaker.leftMs(100), pacemaker.leftMs(250)]).toEqual([250, 150, 0]);
  pacemaker.take(400);
  expect(pacemaker.leftMs(400)).toBe(250);
});

test('counts requests that did not ask, for one window at most', () => {
  const pacemaker = new Pacemaker({ requests: 4, perMs: 1000 });
  pacemaker.take(0);
  pacemaker.take(0);
  expect(pacemaker.leftMs(0)).toBe(500);
  for (let nth = 0; nth < 50; nth += 1) pacemaker.take(0);
  expect(pacemaker.leftMs(0)).toBe(1000);
});

test('lets everything leave at once without a pace', () => {
  const pacemaker = new Pacemaker(undefined);
  for (let nth = 0; nth < 5; nth += 1) pacemaker.take(10);
  expect(pacemaker.leftMs(10)).toBe(0);
});

test('says how long requests take', () => {
  expect(durationAt({ requests: 30, perMs: 60_000 }, 90)).toBe(180_000);
});

const limited = (answer: AnswerForTest) => isRateLimited(answered(answer).outcome);

test('is true given a 429, and given a refusal whose error speaks of rates', () => {
  expect([
    limited({ status: 429 }),
    limited({ status: 400, body: { code: 'rate_limit' } }),
    limited({ status: 403, body: { code: 'E17', message: 'Slow down.' } }),
  ]).toEqual([true, true, true]);
});

test('is true given any other refusal with Retry-After', () => {
  expect(limited({ status: 400, headers: { 'retry-after': '1' }, body: '{"code":"E17"}' })).toBe(true);
});

test('is false given a refusal that asks to wait for another reason, a failure and a success', () => {
  const headers = { 'retry-after': '1' };
  expect([
    limited({ status: 409, headers }),
    limited({ status: 413, headers }),
    limited({ status: 500, headers }),
    limited({ status: 500, body: 'Internal error while slow down' }),
    limited({ status: 200, headers }),
    limited({ status: 400 }),
  ]).toEqual([false, false, false, false, false, false]);
});

test('is true given an error object with Retry-After and a success status', () => {
  const error = { error: { code: 'E17', message: 'Later.' } };
  expect(limited({ status: 200, headers: { 'retry-after': '1' }, body: error })).toBe(true);
  expect(limited({ status: 200, body: error })).toBe(false);
});
