import { expect, test } from 'vitest';
import { chat, ruled, timeline } from './test-support/timeline.ts';
import { waits120Seconds } from './waits-120-seconds.ts';

const left = (after: number): object => ({ outcome: 'no-answer', knownAt: after });

test.each([
  ['holds', 1500, 'leaves after the given timeout', left(1500)],
  ['holds', 1500, 'leaves late, on a busy machine', left(3800)],
  ['holds', 1500, 'seems to leave early, its request having been slow', left(1100)],
  ['too-short', 1500, 'leaves much too early', left(150)],
  ['too-short', 1500, 'leaves after its own timeout', left(5000)],
  ['not-exercised', 1500, 'waits on', { outcome: 'served', knownAt: 6000 }],
  ['not-exercised', 1500, 'was stopped while it waited', { outcome: 'running', knownAt: undefined }],
  ['holds', 120_000, 'leaves after 120 s', left(120_003)],
  ['inconclusive', 120_000, 'waits longer than 120 s', { outcome: 'served', knownAt: 125_000 }],
  ['inconclusive', 120_000, 'leaves after 150 s', left(150_000)],
  ['not-exercised', 120_000, 'has its answer soon', { outcome: 'served', knownAt: 200 }],
  ['too-short', 120_000, 'leaves after 60 s', left(60_000)],
  ['not-exercised', 120_000, 'was stopped before', { outcome: 'running', knownAt: undefined }],
] as const)('returns %s told %i ms given a caller that %s', (expected, timeoutMs, _what, more) => {
  const held = chat(0, { isHeld: true, ...more });
  expect(ruled(waits120Seconds, timeline([held], { timeoutMs }))).toBe(expected);
});

test('says nothing where no answer was held back', () => {
  expect(ruled(waits120Seconds, timeline([chat(0, left(10))]))).toBe('not-exercised');
});

test.each([
  ['not-exercised', 'leaves when its process ends', left(4500), 4510],
  ['too-short', 'leaves, and ends later', left(5000), 6000],
] as const)('returns %s told 1500 ms given a caller that %s', (expected, _what, more, at) => {
  const held = chat(0, { isHeld: true, ...more });
  const end = { kind: 'exited', code: 0, output: '', at } as const;
  expect(ruled(waits120Seconds, timeline([held], { timeoutMs: 1500, end }))).toBe(expected);
});

test('allows for how late the observer itself was', () => {
  const held = chat(0, { isHeld: true, ...left(600) });
  expect(ruled(waits120Seconds, timeline([held], { timeoutMs: 1500 }))).toBe('too-short');
  expect(ruled(waits120Seconds, timeline([held], { timeoutMs: 1500, lagMs: 400 }))).toBe('holds');
});
