import { expect, test } from 'vitest';
import { chat, NO_ANSWER, ruled, RUNNING, SERVED, timeline } from './timeline-for-test.ts';
import { waits120Seconds } from './waits-120-seconds.ts';

const left = (after: number): object => ({ met: NO_ANSWER, leftAt: after, knownAt: after });

test.each([
  ['holds', 1500, 'leaves as it was told', left(1500)],
  ['holds', 1500, 'leaves late, on a busy machine', left(3800)],
  ['holds', 1500, 'seems to leave early, its request having been slow', left(1100)],
  ['too-short', 1500, 'leaves much too early', left(150)],
  ['too-short', 1500, 'leaves by a timeout of its own', left(5000)],
  ['not-exercised', 1500, 'waits on', { met: SERVED, knownAt: 6000 }],
  ['not-exercised', 1500, 'was stopped while it waited', { met: RUNNING, knownAt: undefined }],
  ['holds', 120_000, 'leaves after 120 s', left(120_003)],
  ['holds', 120_000, 'waits longer than 120 s', { met: SERVED, knownAt: 125_000 }],
  ['too-short', 120_000, 'leaves after 60 s', left(60_000)],
  ['not-exercised', 120_000, 'was stopped before', { met: RUNNING, knownAt: undefined }],
] as const)('returns %s told %i ms given a caller that %s', (expected, timeoutMs, _what, more) => {
  const held = chat(0, { heldBack: true, ...more });
  expect(ruled(waits120Seconds, timeline([held], { timeoutMs }))).toBe(expected);
});

test('says nothing where no answer was held back', () => {
  expect(ruled(waits120Seconds, timeline([chat(0, left(10))]))).toBe('not-exercised');
});
