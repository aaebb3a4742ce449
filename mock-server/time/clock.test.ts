import { expect, test } from 'vitest';
import { VirtualClock } from './clock.ts';

const NEW_YEAR = Date.UTC(2026, 0, 1);
const fixed = (): VirtualClock => new VirtualClock('2026-01-01T01:00:00+01:00');

test('runs with the real time, and ahead of it once it was put forward', () => {
  const clock = new VirtualClock('real');
  const before = Date.now();
  clock.advance(3_600_000);
  const { kind, now } = clock.state;
  expect(kind).toBe('real');
  expect(now).toBeGreaterThanOrEqual(before + 3_600_000);
  expect(now).toBeLessThanOrEqual(Date.now() + 3_600_000);
});

test('stops at its time or at a given one, and goes back to the real time', () => {
  const clock = new VirtualClock('real');
  clock.advance(5000);
  clock.freeze();
  expect(clock.state.kind).toBe('frozen');
  expect(clock.now()).toBe(clock.now());
  clock.freeze(NEW_YEAR);
  expect(clock.now()).toBe(NEW_YEAR);
  const before = Date.now();
  clock.run();
  expect(clock.state.kind).toBe('real');
  expect(clock.now()).toBeGreaterThanOrEqual(before);
  expect(clock.now()).toBeLessThanOrEqual(Date.now());
});

test('spells the date of the second', () => {
  const clock = fixed();
  clock.advance(999);
  expect(clock.date()).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
  clock.advance(1);
  expect(clock.date()).toBe('Thu, 01 Jan 2026 00:00:01 GMT');
});
