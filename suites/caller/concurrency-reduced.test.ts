import { expect, test } from 'vitest';
import { concurrencyReduced } from './concurrency-reduced.ts';
import { body, chat, ruled, testRulings, timeline } from './test-support/timeline.ts';
import type { ObservedRequest, CallerFacts, Timeline } from './timeline.ts';

/** Longer than a caller may need to read an answer. */
const TAKES = 300;

/** Waves of so many requests, one wave when the one before has ended; what arrives at once arrives a little apart. */
function waves(...widths: readonly number[]): ObservedRequest[] {
  return widths.flatMap((width, wave) =>
    Array.from({ length: width }, (_, i) => {
      const at = wave * (TAKES + 20) + i;
      return chat(at, { knownAt: at + TAKES, body: body(`${wave}.${i}`) });
    }),
  );
}

/** The same with one of them refused at once, which the caller replaces at once too where `replaced`. */
function limited(all: ObservedRequest[], index: number, replaced = false): ObservedRequest[] {
  const one = all[index];
  if (one === undefined) throw new Error('no such request');
  const refused: ObservedRequest = { ...one, outcome: 'rate-limit', knownAt: one.arrivedAt + 0.1 };
  const at = one.arrivedAt + 0.5;
  const more = replaced ? [chat(at, { knownAt: at + TAKES })] : [];
  return [...all.slice(0, index), refused, ...more, ...all.slice(index + 1)];
}

testRulings(concurrencyReduced, [
  ['not-reduced', 'as many afterwards', limited(waves(6, 6, 6, 6), 7)],
  ['not-reduced', 'as many afterwards, and the refused one replaced', limited(waves(6, 6, 6, 6), 7, true)],
  ['not-reduced', 'more afterwards', limited(waves(6, 6, 9, 9), 7)],
  ['inconclusive', 'as many once more, and then half as many', limited(waves(6, 6, 6, 3, 3, 3), 7)],
  ['not-reduced', 'as many afterwards, once', limited(waves(6, 6, 6), 7)],
  ['holds', 'half as many afterwards', limited(waves(6, 6, 3, 3, 3), 7)],
  ['holds', 'one fewer afterwards', limited(waves(6, 6, 5, 5, 5), 7)],
  ['holds', 'as many again only later', limited(waves(6, 6, 3, 3, 3, 3, 6, 6), 7)],
  ['inconclusive', 'as many again soon', limited(waves(6, 6, 3, 3, 6, 6), 7)],
  ['inconclusive', 'one alone, and then as many', limited(waves(6, 6, 1, 6, 6), 7)],
  ['not-reduced', 'a burst of which the first is refused at once', limited(waves(6, 6, 6), 0)],
  ['holds', 'the same, and half as many afterwards', limited(waves(6, 3, 3, 3), 0)],
  ['not-exercised', 'one at a time before too', limited(waves(1, 1, 1), 1)],
  ['not-exercised', 'too few afterwards to judge', limited(waves(6, 6, 3), 7)],
  ['not-exercised', 'nothing afterwards, given a caller with its own task', limited(waves(6, 6), 7)],
  ['not-exercised', 'no rate limit error', waves(6, 6)],
]);

/** The timeline of a caller that was asked for 20 items, each of its requests for one of them. */
function wished(requests: readonly ObservedRequest[], more: Partial<CallerFacts>): Timeline {
  const items = Array.from({ length: 20 }, (_, i) => ({ id: `w${i}`, text: `Wish ${i}:` }));
  const asked = requests.map((request, i) => ({ ...request, body: body(`Wish ${i}: a`) }));
  return timeline(asked, { items, ...more });
}

const CRASHED = { kind: 'exited', code: 1, output: 'Error\n\nNode.js v24.0.0' } as const;

test.each([
  ['holds', 'stops', limited(waves(6, 6), 7), {}],
  ['not-exercised', 'breaks down', limited(waves(6, 6), 7), { end: CRASHED }],
  ['not-reduced', 'kept a width below that', limited(waves(2, 2, 2, 2, 2, 2), 7), { atOnce: 4 }],
  ['inconclusive', 'was still growing', limited(waves(1, 2, 2, 2, 2), 2), { atOnce: 4 }],
] as const)('returns %s given a task and a caller that %s', (expected, _what, requests, more) => {
  expect(ruled(concurrencyReduced, wished(requests, more))).toBe(expected);
});

/** A pool of four slots whose refused one sleeps while the others work, and then does its work again, and `more` waves. */
function sleeping(more: number): readonly ObservedRequest[] {
  const others = waves(...Array.from({ length: 6 }, () => 3)).slice(6);
  const last = waves(...Array.from({ length: 6 + more }, () => 4)).slice(24);
  const requests = limited([...waves(4, 4), ...others, ...last], 5);
  return requests.map((one, index) => (index === 20 ? { ...one, body: requests[5]?.body ?? '' } : one));
}

/** The last request does the work of the refused one. */
function resentLast(requests: readonly ObservedRequest[]): readonly ObservedRequest[] {
  const refused = requests.find(({ outcome }) => outcome === 'rate-limit');
  return requests.map((one, index) =>
    index === requests.length - 1 ? { ...one, body: refused?.body ?? '' } : one,
  );
}

testRulings(concurrencyReduced, [
  ['not-reduced', 'a slot that sleeps and wakes', sleeping(3)],
  ['holds', 'a slot that never wakes', sleeping(0)],
  ['not-exercised', 'a slot that wakes at the end', sleeping(1).slice(0, -2)],
  ['inconclusive', 'one that wakes late', resentLast(limited(waves(4, 4, 3, 3, 4, 4, 4), 5))],
]);

/** All wait for a while after the first wave, of which one was refused. */
const PAUSED = limited(waves(5, 5), 2).map((one, index) => {
  const by = index < 5 ? 0 : 1500;
  const knownAt = one.outcome === 'rate-limit' ? TAKES : (one.knownAt ?? 0) + by;
  return { ...one, arrivedAt: one.arrivedAt + by, knownAt };
});

const BRIEFLY = limited(limited(waves(4, 4, 2, 4, 4, 2, 4, 4), 16), 5);
const BY_ONE = limited(limited(waves(4, 4, 3, 4, 4, 3, 4, 4), 17), 5);
const LATER = limited(limited(waves(2, 2, 1, 1, 1, 4, 4, 4, 4), 13), 3);

testRulings(concurrencyReduced, [
  ['not-reduced', 'fewer for one batch only, after each of two errors', BRIEFLY],
  ['not-reduced', 'as many again after a pause of all', PAUSED],
  ['inconclusive', 'fewer for one batch only', limited(waves(4, 4, 2, 4, 4), 5)],
  ['inconclusive', 'one fewer for a batch, after each of two errors', BY_ONE],
  ['not-reduced', 'as many after a later error, when there were more', LATER],
  ['holds', 'half as many after each of two errors', limited(limited(waves(4, 4, 2, 2, 2, 2, 1, 1), 13), 5)],
]);

test.each([
  [
    'let the caller send at least 6 more requests after the rate limit error',
    timeline(limited(waves(6, 6, 3), 7)),
  ],
  [
    'let the caller send at least 4 more requests after it has sent the refused one again',
    timeline(sleeping(1).slice(0, -2)),
  ],
  ['let the caller keep to 4 in flight, as CHAT_TASK asks', wished(limited(waves(20), 7), { atOnce: 4 })],
])('hints "%s" where too few requests followed', (hint, seen) => {
  expect(concurrencyReduced.judge(seen)).toMatchObject({ kind: 'not-exercised', hint });
});
