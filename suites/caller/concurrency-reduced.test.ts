import { expect, test } from 'vitest';
import { concurrencyReduced } from './concurrency-reduced.ts';
import type { TimelineRequest } from './observed/timeline.ts';
import { body, chat, RATE_LIMITED, ruled, timeline } from './test-support/timeline.ts';

/** Longer than a caller may need to read an answer. */
const TAKES = 300;

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
  ['inconclusive', 'as many once more, and then half as many', limited(waves(6, 6, 6, 3, 3, 3), 7)],
  ['not-reduced', 'as many afterwards, once', limited(waves(6, 6, 6), 7)],
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
  ['not-exercised', 'a burst of which the first is refused at once', limited(waves(6, 6, 6), 0)],
  ['not-exercised', 'one at a time before too', limited(waves(1, 1, 1), 1)],
  ['not-exercised', 'too few afterwards to judge', limited(waves(6, 6, 3), 7)],
  ['not-exercised', 'nothing afterwards, given a caller with its own task', limited(waves(6, 6), 7)],
  ['not-exercised', 'no rate limit error', waves(6, 6)],
] as const)('returns %s given %s', (expected, _what, requests) => {
  expect(ruled(concurrencyReduced, timeline(requests))).toBe(expected);
});

test('does not take what a caller adds after the refusal for what it had before', () => {
  const requests = limited(waves(6, 6, 7, 7), 7, true);
  const more = Array.from({ length: 3 }, (_, i) => chat(TAKES + 30 + i, { knownAt: 2 * TAKES + 30 + i }));
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

/** A pool whose refused slot sleeps while the others work, and which then does its work again. */
function sleeping(width: number, rounds: number, more: number): TimelineRequest[] {
  const first = waves(...Array.from({ length: 2 }, () => width));
  const others = waves(...Array.from({ length: 2 + rounds }, () => width - 1)).slice(2 * (width - 1));
  const last = waves(...Array.from({ length: 2 + rounds + more }, () => width)).slice((2 + rounds) * width);
  const requests = limited([...first, ...others, ...last], width + 1);
  const refused = requests[width + 1];
  const again = 2 * width + rounds * (width - 1);
  return requests.map((one, index) => (index === again ? { ...one, body: refused?.body ?? '' } : one));
}

test('does not take a slot that sleeps for fewer in flight, and a slot that dies for one that sleeps', () => {
  const wished = (requests: readonly TimelineRequest[]): ReturnType<typeof timeline> =>
    timeline(
      requests.map((request) => ({ ...request, body: body(request.body) })),
      { atOnce: 4 },
    );
  expect(ruled(concurrencyReduced, wished(sleeping(4, 4, 3)))).toBe('not-reduced');
  expect(ruled(concurrencyReduced, wished(sleeping(4, 4, 0)))).toBe('holds');
  expect(ruled(concurrencyReduced, wished(sleeping(4, 4, 1).slice(0, -2)))).toBe('not-exercised');
});

test('takes a storm of refused requests that are sent again while all others are in flight for no reduction', () => {
  const first = Array.from({ length: 20 }, (_, i) =>
    chat(i, {
      body: body(`text ${i}`),
      ...(i < 8 ? { knownAt: 900 } : { knownAt: 300, outcome: RATE_LIMITED }),
    }),
  );
  const again = Array.from({ length: 12 }, (_, i) =>
    chat(320 + i, { body: body(`text ${i + 8}`), knownAt: 900, idempotencyKey: `key-${i + 8}` }),
  );
  expect(ruled(concurrencyReduced, timeline([...first, ...again]))).toBe('not-reduced');
});

test('blames a caller with a steady width below what the task asks for, and none that was still growing', () => {
  const wished = (requests: readonly TimelineRequest[]): string => {
    const asked = requests.map((request, i) => ({ ...request, body: body(`Wish ${i}: a`) }));
    const items = asked.map((_, i) => ({ id: `w${i}`, begins: `Wish ${i}:`, image: false }));
    return ruled(concurrencyReduced, timeline(asked, { items, atOnce: 4 }));
  };
  expect(wished(limited(waves(2, 2, 2, 2, 2, 2), 7))).toBe('not-reduced');
  expect(wished(limited(waves(1, 2, 2, 2, 2), 2))).toBe('inconclusive');
});

test('begins with the error that the caller knew first, which need not have arrived first', () => {
  const late = chat(0, { knownAt: 600, outcome: RATE_LIMITED });
  const first = Array.from({ length: 12 }, (_, i) => chat(1 + i, { knownAt: 900 }));
  const refused = Array.from({ length: 7 }, (_, i) =>
    chat(20 + i, { knownAt: 20.5 + i, outcome: RATE_LIMITED }),
  );
  const again = Array.from({ length: 7 }, (_, i) =>
    chat(300 + i, { knownAt: 900, body: body(`text ${20 + i}`) }),
  );
  expect(ruled(concurrencyReduced, timeline([late, ...first, ...refused, ...again]))).toBe('not-reduced');
});
