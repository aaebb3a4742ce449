import { expect, test } from 'vitest';

import { createClock, createDateHeader } from './clock.ts';

test('stands still at the instant of a fixed clock', () => {
  expect(createClock({ kind: 'fixed', at: '2026-01-01T00:00:00+01:00' })()).toBe(Date.UTC(2025, 11, 31, 23));
  expect(createClock({ kind: 'real' })).toBe(Date.now);
});

test('spells the date of the second', () => {
  let now = 1999;
  const dateHeader = createDateHeader(() => now);
  expect(dateHeader()).toBe('Thu, 01 Jan 1970 00:00:01 GMT');
  now = 2000;
  expect(dateHeader()).toBe('Thu, 01 Jan 1970 00:00:02 GMT');
});
