import { expect, test } from 'vitest';
import { concurrencyReduced } from './concurrency-reduced.ts';
import { chat, RATE_LIMITED, ruled, timeline } from './test-support/timeline.ts';
import type { TimelineRequest } from './timeline.ts';

const TAKES = 100;

/** Waves of so many requests, one wave when the one before has ended; what arrives at once arrives a little apart. */
function waves(...widths: readonly number[]): TimelineRequest[] {
  return widths.flatMap((width, wave) =>
    Array.from({ length: width }, (_, i) => {
      const at = wave * (TAKES + 20) + i;
      return chat(at, { knownAt: at + TAKES, body: `{"messages":"${wave}.${i}"}` });
    }),
  );
}

/** The same with one of them refused at once, which the caller replaces at once too where `replaced`. */
function limited(all: TimelineRequest[], index: number, replaced = false): TimelineRequest[] {
  const one = all[index];
  if (one === undefined) throw new Error('no such request');
  const refused = { ...one, outcome: RATE_LIMITED, knownAt: one.arrivedAt + 0.1 };
  const at = one.arrivedAt + 0.5;
  const more = replaced ? [chat(at, { knownAt: at + TAKES })] : [];
  return [...all.slice(0, index), refused, ...more, ...all.slice(index + 1)];
}

test.each([
  ['not-reduced', 'as many afterwards', limited(waves(6, 6, 6, 6), 7)],
  ['not-reduced', 'as many afterwards, and the refused one replaced', limited(waves(6, 6, 6, 6), 7, true)],
  ['not-reduced', 'more afterwards', limited(waves(6, 6, 9, 9), 7)],
  ['holds', 'as many once more, and then half as many', limited(waves(6, 6, 6, 3, 3, 3), 7)],
  ['not-exercised', 'as many afterwards, and too few to judge', limited(waves(6, 6, 6), 7)],
  ['holds', 'half as many afterwards', limited(waves(6, 6, 3, 3, 3), 7)],
  ['holds', 'one fewer afterwards', limited(waves(6, 6, 5, 5, 5), 7)],
  ['holds', 'one at a time afterwards', limited(waves(6, 6, 1, 1, 1, 1, 1, 1), 7)],
  ['holds', 'as many again only later', limited(waves(6, 6, 3, 3, 3, 3, 6, 6), 7)],
  ['inconclusive', 'as many again soon', limited(waves(6, 6, 3, 3, 6, 6), 7)],
  ['inconclusive', 'one alone, and then as many', limited(waves(6, 6, 1, 6, 6), 7)],
  [
    'holds',
    'a burst of which the fourth is refused, and half as many afterwards',
    limited(waves(6, 3, 3), 3),
  ],
  [
    'not-reduced',
    'a burst of which the first is refused, and as many afterwards',
    limited(waves(6, 6, 6), 0),
  ],
  ['not-exercised', 'one at a time before too', limited(waves(1, 1, 1), 1)],
  ['not-exercised', 'too few afterwards to judge', limited(waves(6, 6, 3), 7)],
  ['not-exercised', 'nothing afterwards, given a caller with its own task', limited(waves(6, 6), 7)],
  ['not-exercised', 'no rate limit error', waves(6, 6)],
] as const)('returns %s given %s', (expected, _what, requests) => {
  expect(ruled(concurrencyReduced, timeline(requests))).toBe(expected);
});

test('does not take what a caller adds after the refusal for what it had before', () => {
  const requests = limited(waves(6, 6, 7, 7), 7, true);
  const more = Array.from({ length: 3 }, (_, i) => chat(130 + i, { knownAt: 230 + i }));
  const all = [...requests, ...more].map((request, i) => ({ ...request, body: `"Wish ${i}:"` }));
  const items = all.map((_, i) => ({ id: `w${i}`, begins: `Wish ${i}:`, image: false }));
  expect(ruled(concurrencyReduced, timeline(all, { items, atOnce: 6 }))).toBe('not-reduced');
});

test('does not blame a caller that had fewer in flight before than asked, and fewer afterwards', () => {
  const requests = limited(waves(3, 3, 3, 3, 3, 3), 7).map((request, i) => ({
    ...request,
    body: `"Wish ${i}:"`,
  }));
  const items = requests.map((_, i) => ({ id: `w${i}`, begins: `Wish ${i}:`, image: false }));
  expect(ruled(concurrencyReduced, timeline(requests, { items, atOnce: 6 }))).toBe('inconclusive');
  expect(ruled(concurrencyReduced, timeline(requests))).toBe('not-reduced');
});

test('takes it for a reduction when a caller stops that had more to ask for, unless it broke down', () => {
  const requests = limited(waves(6, 6), 7).map((request, i) => ({ ...request, body: `"Wish ${i}:"` }));
  const items = Array.from({ length: 20 }, (_, i) => ({ id: `w${i}`, begins: `Wish ${i}:`, image: false }));
  expect(ruled(concurrencyReduced, timeline(requests, { items }))).toBe('holds');
  const crashed = { kind: 'exited', code: 1, output: 'Error\n\nNode.js v24.0.0' } as const;
  expect(ruled(concurrencyReduced, timeline(requests, { items, end: crashed }))).toBe('not-exercised');
});

test('takes more than before soon after, and more than it was asked for, for no reduction', () => {
  const requests = limited(waves(6, 6, 1, 12), 7).map((request, i) => ({ ...request, body: `"Wish ${i}:"` }));
  const items = requests.map((_, i) => ({ id: `w${i}`, begins: `Wish ${i}:`, image: false }));
  expect(ruled(concurrencyReduced, timeline(requests, { items, atOnce: 6 }))).toBe('not-reduced');
  expect(ruled(concurrencyReduced, timeline(requests, { items, atOnce: 12 }))).toBe('inconclusive');
  expect(ruled(concurrencyReduced, timeline(requests))).toBe('inconclusive');
});
