import { expect, test } from 'vitest';
import { chat, ruled, testRulings, timeline } from './test-support/timeline.ts';
import type { CallerFacts, ObservedRequest, Timeline } from './timeline.ts';
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
  const request = chat(0, { isHeld: true, ...more });
  expect(ruled(waits120Seconds, timeline([request], { timeoutMs }))).toBe(expected);
});

const held = (after: number): ObservedRequest => chat(0, { isHeld: true, ...left(after) });
const endedAt = (at: number): Partial<CallerFacts> => ({
  timeoutMs: 1500,
  end: { kind: 'exited', code: 0, output: '', at },
});

testRulings(waits120Seconds, [
  ['not-exercised', 'no answer that was held', [chat(0, left(10))]],
  ['not-exercised', 'one that leaves when its process ends', [held(4500)], endedAt(4510)],
  ['too-short', 'one that leaves, and ends later', [held(5000)], endedAt(6000)],
  ['too-short', 'one that leaves early', [held(500)], { timeoutMs: 1500 }],
  ['holds', 'the same, as a late observer sees it', [held(500)], { timeoutMs: 1500, lagMs: 400 }],
]);

const TOLD = { timeoutMs: 1500 };
const HEDGED = chat(300, { body: held(500).body, knownAt: 480 });

testRulings(waits120Seconds, [
  [
    'not-exercised',
    'one that leaves when another request for its work is answered',
    [held(500), HEDGED],
    TOLD,
  ],
  ['too-short', 'one that leaves, and then asks again', [held(400), { ...HEDGED, arrivedAt: 450 }], TOLD],
]);

/** Another scenario, in which a request took so long, and ended so. */
function elsewhere(knownAt: number, outcome: ObservedRequest['outcome'], timeoutMs = 120_000): Timeline {
  return timeline([chat(0, { knownAt, outcome })], { scenario: 'another', timeoutMs });
}

test.each([
  ['inconclusive', 'waits longer for an answer there', elsewhere(500, 'served')],
  ['inconclusive', 'leaves later there', elsewhere(800, 'no-answer')],
  ['inconclusive', 'leaves sooner there', elsewhere(100, 'no-answer')],
  ['inconclusive', 'waits as long as it was told there', elsewhere(5000, 'no-answer', 5000)],
  ['too-short', 'leaves after the same time there', elsewhere(420, 'no-answer')],
  ['too-short', 'has an answer sooner there', elsewhere(200, 'served')],
])('returns %s given a caller that leaves after 0.4 s, and %s', (expected, _what, other) => {
  const seen = timeline([held(400)], { timeoutMs: 1500 });
  expect(ruled(waits120Seconds, seen, [other])).toBe(expected);
});
