import { expect, test } from 'vitest';
import { Gate } from './gate.ts';

test('lets no more than its width through at once', async () => {
  const gate = new Gate(2);
  expect(gate.enter()).toBeUndefined();
  expect(gate.enter()).toBeUndefined();
  let third = false;
  const waits = Promise.resolve(gate.enter()).then(() => {
    third = true;
  });
  await Promise.resolve();
  expect(third).toBe(false);
  gate.leave();
  await waits;
  expect(third).toBe(true);
});

test('halves its width when narrowed, and never closes', () => {
  const gate = new Gate(4);
  gate.narrow();
  gate.narrow();
  gate.narrow();
  gate.narrow();
  expect(gate.enter()).toBeUndefined();
  expect(gate.enter()).toBeInstanceOf(Promise);
});

test('widens by one for a full round of answers, up to where it began', () => {
  const gate = new Gate(2);
  gate.narrow();
  gate.widen();
  gate.widen();
  gate.widen();
  expect(gate.enter()).toBeUndefined();
  expect(gate.enter()).toBeUndefined();
  expect(gate.enter()).toBeInstanceOf(Promise);
});

test('comes back more slowly each time it had to narrow', () => {
  const gate = new Gate(2);
  gate.narrow();
  gate.narrow();
  gate.widen();
  expect([gate.enter(), gate.enter()]).toEqual([undefined, expect.any(Promise)]);
  gate.widen();
  gate.widen();
  expect(gate.enter()).toBeUndefined();
});
