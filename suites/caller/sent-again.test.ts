import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallerCheck } from './judge-caller.ts';
import { noAutomaticRetry } from './no-automatic-retry.ts';
import type { RequestOutcome, TimelineRequest } from './observed/timeline.ts';
import { requestReduced } from './request-reduced.ts';
import {
  body,
  chat,
  CUT,
  GATEWAY,
  lookup,
  NO_ANSWER,
  RATE_LIMITED,
  ruled,
  RUNNING,
  SERVED,
  timeline,
  TOO_LARGE,
  UNAVAILABLE,
} from './test-support/timeline.ts';
import { lostAnswerIsUncertain, notSentAgainUnchecked } from './uncertain-outcomes.ts';

const WORK = { body: body('a') };
const LOST = chat(0, { ...WORK, outcome: GATEWAY });
const AGAIN = chat(20, WORK);

function clocked(request: TimelineRequest, time: string): TimelineRequest {
  const messages = [
    { role: 'system', content: `It is ${time}.` },
    { role: 'user', content: 'a' },
  ];
  return { ...request, body: JSON.stringify({ model: 'm-1', messages }) };
}

function marked(request: TimelineRequest, work: string): TimelineRequest {
  return { ...request, headers: { 'x-wish': work } };
}

test.each([
  ['sent-again', 'the same text with a fresh key', [LOST, AGAIN], []],
  [
    'sent-again',
    'the same text for another model',
    [LOST, chat(20, { body: body('a', { model: 'm-2' }) })],
    [],
  ],
  ['sent-again', 'the same text elsewhere', [LOST, chat(20, { ...WORK, place: 'elsewhere' })], []],
  ['not-exercised', 'another text with the same key', [LOST, chat(20, { idempotencyKey: 'key-0' })], []],
  ['sent-again', 'nothing but its key', [LOST, chat(20, { body: '', idempotencyKey: 'key-0' })], []],
  [
    'sent-again',
    'an empty body without a key',
    [LOST, chat(20, { body: '', idempotencyKey: undefined })],
    [],
  ],
  ['sent-again', 'the same text after another clock', [clocked(LOST, '9:00'), clocked(AGAIN, '9:01')], []],
  ['sent-again', 'the same after a cut', [chat(0, { ...WORK, outcome: CUT }), AGAIN], []],
  ['sent-again', 'the same after it gave up waiting', [chat(0, { ...WORK, outcome: NO_ANSWER }), AGAIN], []],
  ['not-exercised', 'another text, which may be for the same work', [LOST, chat(20)], []],
  ['holds', 'another text that is marked', [marked(LOST, 'a'), marked(chat(20), 'b')], []],
  ['sent-again', 'another text that is marked alike', [marked(LOST, 'a'), marked(chat(20), 'a')], []],
  ['holds', 'nothing more', [LOST], []],
  ['inconclusive', 'the same text in flight beside it', [LOST, chat(3, WORK)], []],
  ['holds', 'a look at the key that shows nothing', [LOST, AGAIN], [lookup(10, 'key-0')]],
  ['holds', 'a look at the request ID', [LOST, AGAIN], [lookup(10, 'req-0', { 'req-0': 'failed' })]],
  ['holds', 'a look at everything', [LOST, AGAIN], [lookup(10, undefined, { 'key-0': 'succeeded' })]],
  ['sent-again', 'a look at another key', [LOST, AGAIN], [lookup(10, 'key-9')]],
  ['sent-again', 'a look before it was lost', [LOST, AGAIN], [lookup(1, 'key-0')]],
  ['sent-again', 'a look too late', [LOST, AGAIN], [lookup(30, 'key-0')]],
  [
    'sent-again-under-review',
    'a look that shows it under review',
    [LOST, AGAIN],
    [lookup(10, 'key-0', { 'key-0': 'under_review' })],
  ],
  [
    'holds',
    'a later look that shows it failed',
    [LOST, AGAIN],
    [lookup(10, 'key-0', { 'key-0': 'under_review' }), lookup(15, 'key-0', { 'key-0': 'failed' })],
  ],
  ['inconclusive', 'texts that were equal before', [chat(-20, WORK), LOST, AGAIN], []],
  [
    'sent-again',
    'equal texts before, and the same key',
    [chat(-20, WORK), LOST, chat(20, { ...WORK, idempotencyKey: 'key-0' })],
    [],
  ],
  [
    'not-exercised',
    'a loss that the caller does not know of',
    [chat(0, { ...WORK, outcome: RUNNING }), AGAIN],
    [],
  ],
  ['not-exercised', 'no loss', [chat(0, WORK), AGAIN], []],
] as const)('returns %s given a lost answer and %s', (expected, _what, requests, looks) => {
  expect(ruled(notSentAgainUnchecked, timeline(requests, { lookups: looks }))).toBe(expected);
});

const WISHES = [
  { id: 'w1', begins: 'Wish 1:', image: false },
  { id: 'w2', begins: 'Wish 2:', image: false },
];

test('knows the work by its wish, however it is put', () => {
  const lost = chat(0, { body: body('Wish 1: a long text'), outcome: GATEWAY });
  const shorter = chat(20, { body: body('Please. Wish 1: a') });
  expect(ruled(notSentAgainUnchecked, timeline([lost, shorter], { items: WISHES }))).toBe('sent-again');
  expect(ruled(notSentAgainUnchecked, timeline([lost, shorter]))).toBe('not-exercised');
  const unnamed = chat(20, { body: body('The same once more, please.') });
  expect(ruled(notSentAgainUnchecked, timeline([lost, unnamed], { items: WISHES }))).toBe('not-exercised');
});

test.each([
  ['retried', 'retried', 'its bytes and its key again', chat(20, { ...WORK, idempotencyKey: 'key-0' })],
  ['retried', 'inconclusive', 'its bytes soon, with a fresh key', chat(2000, WORK)],
  ['inconclusive', 'inconclusive', 'its bytes late, with a fresh key', chat(2100, WORK)],
  ['holds', 'holds', 'its text for another model', chat(20, { body: body('a', { model: 'm-2' }) })],
  ['not-exercised', 'holds', 'other bytes', chat(20, { idempotencyKey: 'key-0' })],
  ['inconclusive', 'inconclusive', 'its bytes before it failed', chat(3, WORK)],
] as const)(
  'returns %s given a lost request, and %s given a refused one, and %s',
  (afterLoss, afterRefusal, _what, next) => {
    const met = (outcome: RequestOutcome): string =>
      ruled(noAutomaticRetry, timeline([chat(0, { ...WORK, outcome }), next]));
    expect([met(GATEWAY), met(RATE_LIMITED)]).toEqual([afterLoss, afterRefusal]);
    expect(ruled(noAutomaticRetry, timeline([chat(0, WORK), next]))).toBe('not-exercised');
  },
);

test.each([
  ['sent-again', 'not-reduced', 'sent once in plain use', [body('a')], []],
  ['inconclusive', 'inconclusive', 'sent twice in plain use', [body('a'), body('a')], []],
  ['sent-again', 'not-reduced', 'sent once in plain use, while another repeats', [body('a')], ['b', 'b']],
  ['sent-again', 'not-reduced', 'not seen in plain use', [], []],
  ['inconclusive', 'inconclusive', 'not seen in plain use, while another repeats', [], ['b', 'b']],
] as const)(
  'returns %s and %s given a pool that soon sends a text again that was %s',
  (afterLoss, afterRefusal, _what, before, others) => {
    const plain = timeline(
      before.map((text, index) => chat(index * 10, { body: text })),
      { scenario: 'plain-use' },
    );
    const beside = ['x', 'y', ...others].map((text, index) => chat(index * 10 - 60, { body: body(text) }));
    const held = chat(-1, { knownAt: 400 });
    const met = (check: CallerCheck, outcome: RequestOutcome): string =>
      ruled(check, timeline([...beside, held, chat(0, { ...WORK, outcome }), AGAIN]), [plain]);
    expect([met(notSentAgainUnchecked, GATEWAY), met(requestReduced, TOO_LARGE)]).toEqual([
      afterLoss,
      afterRefusal,
    ]);
  },
);

const asked = fc
  .record({
    arrivedAt: fc.nat(600),
    takes: fc.integer({ min: 1, max: 300 }),
    text: fc.constantFrom('a', 'b', 'c'),
    outcome: fc.constantFrom(SERVED, GATEWAY, RATE_LIMITED),
  })
  .map(({ arrivedAt, takes, text, outcome }) => ({
    arrivedAt,
    knownAt: arrivedAt + takes,
    body: body(`Wish ${text}:`),
    outcome,
  }));

type Asked = Pick<TimelineRequest, 'arrivedAt' | 'knownAt' | 'outcome' | 'body'>;

/** Whether a request was lost, and another one for its work was in flight with it or later. */
function isAskedTwice(chats: readonly Asked[]): boolean {
  return chats.some((lost) =>
    chats.some(
      (one) =>
        lost.outcome === GATEWAY &&
        one !== lost &&
        one.body === lost.body &&
        (one.knownAt ?? 0) >= lost.arrivedAt,
    ),
  );
}

test('never passes a caller that asked for lost work once more, while it was in flight or later', () => {
  const items = ['a', 'b', 'c'].map((id) => ({ id, begins: `Wish ${id}:`, image: false }));
  const passesWrongly = (all: readonly Asked[], more: object): boolean => {
    const chats = all.map((one, index) => chat(one.arrivedAt, { ...one, idempotencyKey: `key-${index}` }));
    return ruled(notSentAgainUnchecked, timeline(chats, more)) === 'holds' && isAskedTwice(chats);
  };
  const found = fc.check(
    fc.property(fc.array(asked, { maxLength: 12 }), fc.constantFrom({}, { items }), (all, more) => {
      const inOrder = all.toSorted((one, other) => one.arrivedAt - other.arrivedAt);
      return !passesWrongly(inOrder, more);
    }),
  );
  expect(found.counterexample).toBeNull();
});

test('finds a storm in the same bytes with fresh keys, unless they may be wishes in equal words', () => {
  const storm = (times: number, text: string): readonly TimelineRequest[] =>
    Array.from({ length: times }, (_, i) => chat(i * 20, { body: body(text), outcome: UNAVAILABLE }));
  expect(ruled(noAutomaticRetry, timeline(storm(5, 'Wish 1: a'), { items: WISHES }))).toBe(
    'retried-on-and-on',
  );
  expect(ruled(noAutomaticRetry, timeline(storm(4, 'Wish 1: a'), { items: WISHES }))).toBe('inconclusive');
  expect(ruled(noAutomaticRetry, timeline(storm(5, 'a')))).toBe('inconclusive');
  const looks = [lookup(10)];
  expect(ruled(noAutomaticRetry, timeline(storm(5, 'Wish 1: a'), { items: WISHES, lookups: looks }))).toBe(
    'inconclusive',
  );
});

test('takes a repetition after a look for no automatic one', () => {
  const next = chat(20, { ...WORK, idempotencyKey: 'key-0' });
  expect(ruled(noAutomaticRetry, timeline([LOST, next], { lookups: [lookup(10, 'key-0')] }))).toBe('holds');
});

test.each([
  ['holds', 'uncertain', {}],
  ['taken-for-served', 'served', {}],
  ['taken-for-refused', 'refused', {}],
  ['not-exercised', 'served', { lookups: [lookup(10, 'key-0')] }],
  ['holds', 'uncertain', { lookups: [lookup(10, 'key-0')] }],
] as const)('returns %s given a record that a lost answer was %s', (expected, outcome, more) => {
  const lost = chat(0, { body: body('Wish 1: a'), outcome: CUT });
  const records = [{ wish: 'w1', outcome }];
  expect(ruled(lostAnswerIsUncertain, timeline([lost], { items: WISHES, records, ...more }))).toBe(expected);
});

test('does not judge by the record of one lost answer how a caller treats another', () => {
  const lost = [1, 2].map((n) => chat(n * 10, { body: body(`Wish ${n}: a`), outcome: CUT }));
  const records = [{ wish: 'w1', outcome: 'uncertain' } as const];
  expect(ruled(lostAnswerIsUncertain, timeline(lost, { items: WISHES, records }))).toBe('not-exercised');
});

test.each([
  ['sent-again', 'retried', 'the same wish with a fresh key', body('Wish 1: a'), 'fresh', []],
  ['not-exercised', 'not-exercised', 'another wish with the same key', body('Wish 2: b'), 'key-0', []],
  ['holds', 'not-exercised', 'the same wish after a look', body('Wish 1: a'), 'fresh', [lookup(10, 'key-0')]],
  [
    'sent-again-under-review',
    'not-exercised',
    'the same wish after a look that shows it running',
    body('Wish 1: a'),
    'fresh',
    [lookup(10, 'key-0', { 'key-0': 'running' })],
  ],
  ['not-exercised', 'not-exercised', 'another wish', body('Wish 2: b'), 'fresh', []],
] as const)(
  'returns %s and %s given an answer that is held back, and %s meanwhile',
  (checked, retried, _what, text, idempotencyKey, looks) => {
    const held = chat(0, { body: body('Wish 1: a'), isHeld: true, knownAt: 6000 });
    const seen = timeline([held, chat(300, { body: text, idempotencyKey })], {
      items: WISHES,
      lookups: looks,
    });
    expect(ruled(notSentAgainUnchecked, seen)).toBe(checked);
    expect(ruled(noAutomaticRetry, seen)).toBe(retried);
  },
);

test('blames the work that is sent to another provider while an answer is held back on CALL-2 alone', () => {
  const held = chat(0, { body: body('Wish 1: a'), isHeld: true, knownAt: 6000 });
  const elsewhere = chat(400, { body: held.body, place: 'elsewhere' });
  const seen = timeline([held, elsewhere], { items: WISHES });
  expect(ruled(notSentAgainUnchecked, seen)).toBe('sent-again');
  expect(ruled(noAutomaticRetry, seen)).toBe('not-exercised');
});

test('does not take two requests that were sent at once for one that was sent again', () => {
  const held = chat(0, { ...WORK, isHeld: true, knownAt: 6000 });
  const elsewhere = chat(40, { body: body('Wish 1: a'), place: 'elsewhere' });
  const seen = timeline([{ ...held, body: elsewhere.body }, elsewhere], { items: WISHES });
  expect(ruled(notSentAgainUnchecked, seen)).toBe('not-exercised');
  expect(ruled(noAutomaticRetry, seen)).toBe('not-exercised');
});

test('does not blame an equal text of its own while an answer is held', () => {
  const seen = timeline([chat(0, { ...WORK, isHeld: true, knownAt: 6000 }), chat(300, WORK)]);
  expect(ruled(notSentAgainUnchecked, seen)).toBe('inconclusive');
  expect(ruled(noAutomaticRetry, seen)).toBe('inconclusive');
});

test('does not blame an equal text given a caller that repeats it in plain use too', () => {
  const plain = timeline([chat(100, WORK), chat(120, WORK)], { scenario: 'plain-use' });
  expect(ruled(notSentAgainUnchecked, timeline([LOST, AGAIN]), [plain])).toBe('inconclusive');
  const once = timeline([chat(100, WORK), chat(120)], { scenario: 'plain-use' });
  expect(ruled(notSentAgainUnchecked, timeline([LOST, AGAIN]), [once])).toBe('sent-again');
  const withItsKey = chat(20, { ...WORK, idempotencyKey: 'key-0' });
  expect(ruled(notSentAgainUnchecked, timeline([LOST, withItsKey]), [plain])).toBe('sent-again');
});

test('does not take an item that is asked for twice on purpose for one that is sent again', () => {
  const items = ['w1', 'w4'].map((id) => ({ id, begins: 'Wish 1:', image: false }));
  const lost = chat(0, { body: body('Wish 1: a'), outcome: NO_ANSWER });
  const seen = timeline([lost, chat(20, { body: lost.body })], { items });
  expect(ruled(notSentAgainUnchecked, seen)).toBe('inconclusive');
  const keyless = [lost, chat(20, { body: lost.body })].map((one) => ({ ...one, idempotencyKey: undefined }));
  expect(ruled(noAutomaticRetry, timeline(keyless, { items }))).toBe('inconclusive');
});

const ITEMS = [1, 2, 3, 4].map((n) => ({ id: `wish-${n}`, begins: `Wish ${n}`, image: false }));

test.each([
  ['inconclusive', 'within the next one', ['Wish 1 Wish 2', 'Wish 3']],
  ['holds', 'in no other', ['Wish 2', 'Wish 3']],
])('returns %s given a lost text that stands %s', (expected, _, texts) => {
  const lost = chat(0, { body: body('Wish 1'), outcome: GATEWAY });
  const others = texts.map((text, index) => chat(300 + 300 * index, { body: body(text) }));
  const seen = (lookups: Parameters<typeof timeline>[1]) =>
    ruled(notSentAgainUnchecked, timeline([lost, ...others], { items: ITEMS, ...lookups }));
  expect(seen({})).toBe(expected);
  expect(seen({ lookups: [lookup(100, 'key-0')] })).toBe('holds');
});
