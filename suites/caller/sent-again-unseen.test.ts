import { expect, test } from 'vitest';
import { noAutomaticRetry, notSentAgainUnchecked } from './after-failures.ts';
import { inRun } from './chats.ts';
import { mayHideAgain } from './sent-again.ts';
import { body, chat, lookup, ruled, timeline } from './test-support/timeline.ts';
import type { ObservedRequest, CallerFacts, RequestOutcome, Timeline } from './timeline.ts';

/** Chats with these texts, one each 10 ms, that were answered after 5 ms; the first of them lost. */
function losing(texts: readonly string[], outcome: RequestOutcome = 'gateway'): readonly ObservedRequest[] {
  const chats = texts.map((text, index) => chat(index * 10, { body: body(text) }));
  return chats.map((one, index) => (index === 0 ? { ...one, outcome } : one));
}

function plainUse(texts: readonly string[], more: Partial<CallerFacts> = {}): Timeline {
  return timeline(losing(texts, 'served'), { scenario: 'plain-use', ...more });
}

const PLAIN = ['a', 'b', 'c'];
const AGAIN = [...PLAIN, 'a [attempt 2]'];
const ELSEWHERE = losing(AGAIN).map((one, index) =>
  index === 3 ? { ...one, place: 'elsewhere' as const } : one,
);
const HELD = losing(AGAIN).map((one, index) => (index === 0 ? { ...one, isHeld: true, knownAt: 6000 } : one));
const WISHES = [1, 2, 3].map((n) => ({ id: `w${n}`, text: `Wish ${n}:` }));
const TASK: Partial<CallerFacts> = { items: WISHES };
const HISTORY = losing(['Wish 1: a', 'Wish 1: a Wish 2: b']);

function looked(at: number, state = 'succeeded'): Partial<CallerFacts> {
  return { lookups: [lookup(at, 'key-0', { 'key-0': state })] };
}

test.each([
  ['holds', 'the same texts', PLAIN, losing(PLAIN), {}],
  ['holds', 'fewer texts', PLAIN, losing(['a', 'c']), {}],
  ['not-exercised', 'a new text in place of another', PLAIN, losing(['a', 'b', 'd']), {}],
  ['inconclusive', 'a text more', PLAIN, losing(AGAIN), {}],
  ['inconclusive', 'a text more after it gave up', PLAIN, losing(AGAIN, 'no-answer'), {}],
  ['inconclusive', 'a text of plain use more', PLAIN, losing([...PLAIN, 'b']), {}],
  ['inconclusive', 'new texts each time, and one more', PLAIN, losing(['d', 'e', 'f', 'g']), {}],
  ['inconclusive', 'equal texts, and one more', ['a', 'a'], losing(['a', 'a', 'a']), {}],
  ['inconclusive', 'a text more elsewhere', PLAIN, ELSEWHERE, {}],
  ['inconclusive', 'a text more while the answer is held', PLAIN, HELD, {}],
  ['not-exercised', 'a text more after a look', PLAIN, losing(AGAIN), looked(8)],
  ['inconclusive', 'a text more while under review', PLAIN, losing(AGAIN), looked(8, 'under_review')],
  ['inconclusive', 'a text more before a look', PLAIN, losing(['a', 'a once more', 'b', 'c']), looked(15)],
  [
    'inconclusive',
    'no item',
    ['Wish 1: a', 'Wish 2: b', 'Wish 1: a'],
    losing(['Wish 1: a', 'Once more']),
    TASK,
  ],
  ['holds', 'more items', ['Wish 1: a'], losing(['Wish 1: a', 'Wish 2: b', 'Wish 3: c']), TASK],
  ['inconclusive', 'its text within the next item', ['Wish 1: a', 'Wish 2: b'], HISTORY, TASK],
  ['holds', 'the same after a look', ['Wish 1: a', 'Wish 2: b'], HISTORY, { ...TASK, ...looked(8) }],
] as const)('returns %s given a lost answer and %s', (expected, _what, before, requests, more) => {
  // In plain use two items of the task are equal.
  const twice = ['w1', 'w2', 'w3'].map((id, n) => ({ id, text: `Wish ${(n % 2) + 1}:` }));
  const plain = plainUse(before, 'items' in more ? { items: twice } : {});
  const seen = timeline(requests, more);
  expect(ruled(notSentAgainUnchecked, seen, [plain])).toBe(expected);
  expect(ruled(noAutomaticRetry, seen, [plain])).toBe(expected);
});

test('counts marked work by its marks', () => {
  const marked = losing(AGAIN).map((one) => ({ ...one, headers: { 'x-wish': `job ${one.body}` } }));
  expect(ruled(notSentAgainUnchecked, timeline(marked), [plainUse(PLAIN)])).toBe('holds');
});

function reasonsFor(requests: readonly ObservedRequest[], before: readonly Timeline[]): readonly string[] {
  return inRun([...before, timeline(requests, { scenario: 'charged-and-lost' })])
    .slice(-1)
    .flatMap(mayHideAgain);
}

test.each([
  ['no loss', losing(AGAIN, 'served'), [plainUse(PLAIN)]],
  ['a refusal', losing(AGAIN, 'rate-limit'), [plainUse(PLAIN)]],
  ['a run without plain use', losing(AGAIN), []],
  ['a plain use without a request', losing(AGAIN), [plainUse([])]],
] as const)('does not say that lost work may have been sent again given %s', (_what, requests, before) => {
  expect(reasonsFor(requests, before)).toEqual([]);
});

test('names the counts and a way out', () => {
  expect(reasonsFor(losing(AGAIN), [plainUse(PLAIN)])).toEqual([
    '4 completions, but only 3 in plain-use, so lost work may have been sent again: let the caller do CHAT_TASK, or mark what a request is for with the header x-wish',
  ]);
});
