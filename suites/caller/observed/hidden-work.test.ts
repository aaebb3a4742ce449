import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { noAutomaticRetry } from '../no-automatic-retry.ts';
import {
  body,
  chat,
  CUT,
  GATEWAY,
  lookup,
  NO_ANSWER,
  RATE_LIMITED,
  ruled,
  timeline,
} from '../test-support/timeline.ts';
import { notSentAgainUnchecked } from '../uncertain-outcomes.ts';
import { mayHideAgain } from './hidden-work.ts';
import type { RequestOutcome, Timeline, TimelineRequest } from './timeline.ts';

/** Chats with these texts, one each 10 ms, that were answered after 5 ms. */
function chats(texts: readonly string[], more: Partial<TimelineRequest> = {}): readonly TimelineRequest[] {
  return texts.map((text, index) => chat(index * 10, { body: body(text), ...more }));
}

function plainUse(texts: readonly string[], more: Partial<Timeline> = {}): Timeline {
  return timeline(chats(texts), { scenario: 'plain-use', ...more });
}

/** The same, the first of them lost. */
function losing(texts: readonly string[], outcome: RequestOutcome = GATEWAY): readonly TimelineRequest[] {
  return chats(texts).map((one, index) => (index === 0 ? { ...one, outcome } : one));
}

const PLAIN = ['a', 'b', 'c'];
const AGAIN = [...PLAIN, 'a [attempt 2]'];
const WISHES = [1, 2, 3].map((n) => ({ id: `w${n}`, begins: `Wish ${n}:`, image: false }));
const UNDER_REVIEW = { 'key-0': 'under_review' } as const;

test.each([
  ['holds', 'the same texts', PLAIN, losing(PLAIN), {}],
  ['holds', 'fewer texts', PLAIN, losing(['a', 'c']), {}],
  ['not-exercised', 'a new text in place of another', PLAIN, losing(['a', 'b', 'd']), {}],
  ['inconclusive', 'a text more', PLAIN, losing(AGAIN), {}],
  ['inconclusive', 'a text more after a cut', PLAIN, losing(AGAIN, CUT), {}],
  ['inconclusive', 'a text more after it gave up', PLAIN, losing(AGAIN, NO_ANSWER), {}],
  ['inconclusive', 'a text of plain use more', PLAIN, losing([...PLAIN, 'b']), {}],
  ['inconclusive', 'new texts each time, and one more', PLAIN, losing(['d', 'e', 'f', 'g']), {}],
  ['inconclusive', 'equal texts, and one more', ['a', 'a'], losing(['a', 'a', 'a']), {}],
  [
    'inconclusive',
    'a text more without a key',
    PLAIN,
    losing(AGAIN).map((one) => ({ ...one, idempotencyKey: undefined })),
    {},
  ],
  [
    'inconclusive',
    'a text more elsewhere',
    PLAIN,
    losing(AGAIN).map((one, index) => (index === 3 ? { ...one, place: 'elsewhere' as const } : one)),
    {},
  ],
  [
    'inconclusive',
    'a text more while the answer is held',
    PLAIN,
    [chat(0, { body: body('a'), isHeld: true, knownAt: 6000 }), ...chats(AGAIN).slice(1)],
    {},
  ],
  [
    'not-exercised',
    'a text more after a look',
    PLAIN,
    losing(AGAIN),
    { lookups: [lookup(8, 'key-0', { 'key-0': 'succeeded' })] },
  ],
  [
    'inconclusive',
    'a text more after a look that shows it under review',
    PLAIN,
    losing(AGAIN),
    { lookups: [lookup(8, 'key-0', UNDER_REVIEW)] },
  ],
  [
    'inconclusive',
    'a text more before a look',
    PLAIN,
    losing(['a', 'a [attempt 2]', 'b', 'c']),
    { lookups: [lookup(15, 'key-0')] },
  ],
  [
    'inconclusive',
    'the task, and a text that shows no item',
    ['Wish 1: a', 'Wish 2: b', 'Wish 1: a'],
    losing(['Wish 1: a', 'Wish 2: b', 'Once more']),
    { items: WISHES },
  ],
  [
    'holds',
    'more items of the task',
    ['Wish 1: a'],
    losing(['Wish 1: a', 'Wish 2: b', 'Wish 3: c']),
    { items: WISHES },
  ],
] as const)('returns %s given a lost answer and %s', (expected, _what, before, requests, more) => {
  // In plain use two items of the task are equal.
  const twice = ['w1', 'w2', 'w3'].map((id, n) => ({ id, begins: `Wish ${(n % 2) + 1}:`, image: false }));
  const plain = plainUse(before, 'items' in more ? { items: twice } : {});
  const seen = timeline(requests, more);
  expect(ruled(notSentAgainUnchecked, seen, [plain])).toBe(expected);
  expect(ruled(noAutomaticRetry, seen, [plain])).toBe(expected);
});

test('counts marked work by its marks', () => {
  const marked = losing(AGAIN).map((one) => ({ ...one, headers: { 'x-wish': `job ${one.body}` } }));
  expect(ruled(notSentAgainUnchecked, timeline(marked), [plainUse(PLAIN)])).toBe('holds');
});

test('says nothing given no loss, a refusal, or a run without plain use', () => {
  const surplus = (requests: readonly TimelineRequest[], before: readonly Timeline[]) => {
    const seen = timeline(requests);
    return mayHideAgain(seen, [...before, seen]);
  };
  expect(surplus(chats(AGAIN), [plainUse(PLAIN)])).toEqual([]);
  expect(surplus(losing(AGAIN, RATE_LIMITED), [plainUse(PLAIN)])).toEqual([]);
  expect(surplus(losing(AGAIN), [])).toEqual([]);
  expect(surplus(losing(AGAIN), [plainUse([])])).toEqual([]);
});

test('names the counts and a way out', () => {
  const paid = losing(AGAIN).map((one) => ({ ...one, money: 'debited 41' }));
  const seen = timeline(paid);
  expect(mayHideAgain(seen, [plainUse(PLAIN), seen])).toEqual([
    '4 completions (4 debited), and work for 3 in plain-use: lost work may have been sent again; let the caller do CHAT_TASK, or mark what a request is for with the header x-wish',
  ]);
});

test('never passes a caller that lost an answer and asked for more than in plain use', () => {
  const text = fc.constantFrom('a', 'b', 'c', 'd', 'a again');
  const found = fc.check(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 6 }),
      fc.array(text, { minLength: 1, maxLength: 6 }),
      (before, after) => {
        fc.pre(after.length > before.length);
        const run = [plainUse(before)];
        return [notSentAgainUnchecked, noAutomaticRetry].every(
          (check) => ruled(check, timeline(losing(after)), run) !== 'holds',
        );
      },
    ),
  );
  expect(found.counterexample).toBeNull();
});
