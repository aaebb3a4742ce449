import { expect, test } from 'vitest';
import { ConcurrencyLimiter, isRateLimited } from './rate-limiter.ts';
import { type AnswerForTest, answered } from '../test-support/exchange.ts';

test('lets no more than its width through at once', async () => {
  const gate = new ConcurrencyLimiter(2);
  expect(gate.acquire()).toBeUndefined();
  expect(gate.acquire()).toBeUndefined();
  let third = false;
  const waits = Promise.resolve(gate.acquire()).then(() => {
    third = true;
  });
  await Promise.resolve();
  expect(third).toBe(false);
  gate.release();
  await waits;
  expect(third).toBe(true);
});

test('halves its width when narrowed, and never closes', () => {
  const gate = new ConcurrencyLimiter(4);
  gate.decrease();
  gate.decrease();
  gate.decrease();
  gate.decrease();
  expect(gate.acquire()).toBeUndefined();
  expect(gate.acquire()).toBeInstanceOf(Promise);
});

test('widens by one for a full round of answers, up to where it began', () => {
  const gate = new ConcurrencyLimiter(2);
  gate.decrease();
  gate.increase();
  gate.increase();
  gate.increase();
  expect(gate.acquire()).toBeUndefined();
  expect(gate.acquire()).toBeUndefined();
  expect(gate.acquire()).toBeInstanceOf(Promise);
});

test('comes back more slowly each time it had to narrow', () => {
  const gate = new ConcurrencyLimiter(2);
  gate.decrease();
  gate.decrease();
  gate.increase();
  expect([gate.acquire(), gate.acquire()]).toEqual([undefined, expect.any(Promise)]);
  gate.increase();
  gate.increase();
  expect(gate.acquire()).toBeUndefined();
});

const limited = (answer: AnswerForTest) => isRateLimited(answered(answer).outcome);

test('is true given a 429, and given a refusal whose error speaks of rates', () => {
  expect([
    limited({ status: 429 }),
    limited({ status: 400, body: { code: 'rate_limit' } }),
    limited({ status: 403, body: { code: 'E17', message: 'Slow down.' } }),
  ]).toEqual([true, true, true]);
});

test('is true given a refusal of any other name that says when to come again', () => {
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

test('is true given an error that says when to come again, though its status is one of success', () => {
  const error = { error: { code: 'E17', message: 'Later.' } };
  expect(limited({ status: 200, headers: { 'retry-after': '1' }, body: error })).toBe(true);
  expect(limited({ status: 200, body: error })).toBe(false);
});
