import { expect, test } from 'vitest';
import { ConcurrencyLimiter } from './gate.ts';

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
