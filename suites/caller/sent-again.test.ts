import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  lostAnswerIsUncertain,
  noAutomaticRetry,
  notSentAgainUnchecked,
  requestReduced,
} from './after-failures.ts';
import type { CallerCheck } from './judge-caller.ts';
import { body, chat, lookup, ruled, testRulings, timeline } from './test-support/timeline.ts';
import type { ObservedRequest, CallerFacts, RequestOutcome, Timeline } from './timeline.ts';

const WORK = { body: body('a') };
const LOST = chat(0, { ...WORK, outcome: 'gateway' });
const AGAIN = chat(20, WORK);
const WITH_ITS_KEY = chat(20, { ...WORK, idempotencyKey: 'key-0' });

function clocked(request: ObservedRequest, time: string): ObservedRequest {
  const messages = [
    { role: 'system', content: `It is ${time}.` },
    { role: 'user', content: 'a' },
  ];
  return { ...request, body: JSON.stringify({ model: 'm-1', messages }) };
}

function marked(request: ObservedRequest, work: string): ObservedRequest {
  return { ...request, headers: { 'x-wish': work } };
}

testRulings(notSentAgainUnchecked, [
  ['sent-again', 'the same text with a fresh key', [LOST, AGAIN]],
  ['sent-again', 'the same text for another model', [LOST, chat(20, { body: body('a', { model: 'm-2' }) })]],
  ['sent-again', 'the same text elsewhere', [LOST, chat(20, { ...WORK, place: 'elsewhere' })]],
  ['not-exercised', 'another text with the same key', [LOST, chat(20, { idempotencyKey: 'key-0' })]],
  ['sent-again', 'the same text after another clock', [clocked(LOST, '9:00'), clocked(AGAIN, '9:01')]],
  ['sent-again', 'the same after a cut', [chat(0, { ...WORK, outcome: 'cut' }), AGAIN]],
  ['sent-again', 'the same after it gave up waiting', [chat(0, { ...WORK, outcome: 'no-answer' }), AGAIN]],
  ['not-exercised', 'another text, which may be for the same work', [LOST, chat(20)]],
  ['holds', 'another text that is marked', [marked(LOST, 'a'), marked(chat(20), 'b')]],
  ['sent-again', 'another text that is marked alike', [marked(LOST, 'a'), marked(chat(20), 'a')]],
  ['holds', 'nothing more', [LOST]],
  ['inconclusive', 'the same text in flight beside it', [LOST, chat(3, WORK)]],
  ['inconclusive', 'texts that were equal before', [chat(-20, WORK), LOST, AGAIN]],
  ['sent-again', 'equal texts before, and the same key', [chat(-20, WORK), LOST, WITH_ITS_KEY]],
  ['not-exercised', 'no knowledge of it', [chat(0, { ...WORK, outcome: 'running' }), AGAIN]],
  ['not-exercised', 'no loss', [chat(0, WORK), AGAIN]],
]);

const REVIEWED = lookup(10, 'key-0', { 'key-0': 'under_review' });

test.each([
  ['holds', 'at the key that shows nothing', [lookup(10, 'key-0')]],
  ['holds', 'at the request ID', [lookup(10, 'req-0', { 'req-0': 'failed' })]],
  ['holds', 'at everything', [lookup(10, undefined, { 'key-0': 'succeeded' })]],
  ['sent-again', 'at another key', [lookup(10, 'key-9')]],
  ['sent-again', 'before it was lost', [lookup(1, 'key-0')]],
  ['sent-again', 'too late', [lookup(30, 'key-0')]],
  ['sent-again-under-review', 'that shows it', [REVIEWED]],
  ['holds', 'and a later one that shows it failed', [REVIEWED, lookup(15, 'key-0', { 'key-0': 'failed' })]],
] as const)('returns %s given lost work that is sent again after a look %s', (expected, _what, lookups) => {
  expect(ruled(notSentAgainUnchecked, timeline([LOST, AGAIN], { lookups }))).toBe(expected);
});

const EQUAL_BEFORE = [chat(-20, WORK), LOST, AGAIN];
const HELD_STILL = [chat(0, { ...WORK, isHeld: true, knownAt: 900 }), chat(500, WORK)];

testRulings(notSentAgainUnchecked, [
  ['inconclusive', 'texts that were equal before, and a look', EQUAL_BEFORE, { lookups: [REVIEWED] }],
  ['inconclusive', 'the same text while the answer is held', HELD_STILL],
  [
    'sent-again-under-review',
    'the same text while it is held, and a look',
    HELD_STILL,
    { lookups: [REVIEWED] },
  ],
]);

const WISHES = [1, 2].map((n) => ({ id: `w${n}`, text: `Wish ${n}:` }));

test('knows the work by its wish, however it is put', () => {
  const lost = chat(0, { body: body('Wish 1: a long text'), outcome: 'gateway' });
  const shorter = chat(20, { body: body('Please. Wish 1: a') });
  expect(ruled(notSentAgainUnchecked, timeline([lost, shorter], { items: WISHES }))).toBe('sent-again');
  expect(ruled(notSentAgainUnchecked, timeline([lost, shorter]))).toBe('not-exercised');
  const unnamed = chat(20, { body: body('The same once more, please.') });
  expect(ruled(notSentAgainUnchecked, timeline([lost, unnamed], { items: WISHES }))).toBe('not-exercised');
});

test.each([
  ['retried', 'retried', 'its bytes and its key again', WITH_ITS_KEY],
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
    expect([met('gateway'), met('rate-limit')]).toEqual([afterLoss, afterRefusal]);
    expect(ruled(noAutomaticRetry, timeline([chat(0, WORK), next]))).toBe('not-exercised');
  },
);

const LOOKED_AT = { lookups: [lookup(10, 'key-0')] };
const REFUSED = chat(0, { ...WORK, outcome: 'rate-limit' });

testRulings(noAutomaticRetry, [
  ['holds', 'a repetition after a look', [LOST, WITH_ITS_KEY], LOOKED_AT],
  ['inconclusive', 'a repetition soon after a refusal, and a look', [REFUSED, WITH_ITS_KEY], LOOKED_AT],
  ['holds', 'a repetition late after a refusal, and a look', [REFUSED, chat(2100, WORK)], LOOKED_AT],
]);

/** The last text of a conversation. */
function after(turn: string, at: number, more: Partial<ObservedRequest> = {}): ObservedRequest {
  const messages = [turn, 'Yes.', 'Go on.'].map((content, n) => ({
    role: n === 1 ? 'assistant' : 'user',
    content,
  }));
  return chat(at, { body: JSON.stringify({ model: 'm-1', messages, max_tokens: 9 }), ...more });
}

test.each([
  ['inconclusive', 'inconclusive', 'of another conversation', after('Name a river', 20)],
  ['inconclusive', 'inconclusive', 'of another, which is shorter', after('Name', 20)],
  ['sent-again', 'not-reduced', 'of the same conversation', after('Name a sea', 20)],
  ['sent-again', 'holds', 'of the same, cut short', chat(20, { body: body('Go on.', { max_tokens: 9 }) })],
])('returns %s and %s given the same last text %s', (afterLoss, afterRefusal, _what, next) => {
  const met = (check: CallerCheck, outcome: RequestOutcome): string =>
    ruled(check, timeline([after('Name a sea', 0, { outcome }), next]));
  expect(met(notSentAgainUnchecked, 'gateway')).toBe(afterLoss);
  expect(met(requestReduced, 'token-limit')).toBe(afterRefusal);
});

const CROSSED = [
  chat(0, { ...WORK, knownAt: 400, outcome: 'gateway' }),
  chat(300, { ...WORK, knownAt: 500 }),
  chat(600, { body: body('b'), outcome: 'gateway' }),
  chat(700, { body: body('b') }),
];

testRulings(notSentAgainUnchecked, [
  ['sent-again', 'a request sent again after others crossed', CROSSED],
  [
    'inconclusive',
    'the same, where the others were sent at once',
    CROSSED.with(1, chat(50, { ...WORK, knownAt: 500 })),
  ],
]);

const RETRIED = { ...AGAIN, headers: { 'x-stainless-retry-count': '1' } };

test.each([
  ['sent-again', 'retried', 9000, 'its key', WITH_ITS_KEY],
  ['inconclusive', 'inconclusive', 11_000, 'its key', WITH_ITS_KEY],
  ['inconclusive', 'inconclusive', 20, 'a fresh key', AGAIN],
  ['sent-again', 'retried', 20, 'a fresh key by a client that counts retries', RETRIED],
] as const)(
  'returns %s and %s given lost work sent again after %i ms under %s, and lookups that nobody sees',
  (one, other, at, _key, again) => {
    const seen = timeline([LOST, { ...again, arrivedAt: at }], { lookups: undefined });
    expect([notSentAgainUnchecked, noAutomaticRetry].map((check) => ruled(check, seen))).toEqual([
      one,
      other,
    ]);
  },
);

test.each([
  ['sent-again', 'not-reduced', 'sent once in plain use', [body('a')], []],
  ['inconclusive', 'inconclusive', 'sent twice in plain use', [body('a'), body('a')], []],
  ['inconclusive', 'inconclusive', 'sent once in plain use, while another repeats', [body('a')], ['b', 'b']],
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
    const found = [met(notSentAgainUnchecked, 'gateway'), met(requestReduced, 'token-limit')];
    expect(found).toEqual([afterLoss, afterRefusal]);
  },
);

const RESTART = { at: 100, drivenAt: 200 };

test.each([
  ['holds', 'as in plain use, which ends otherwise', 'a a b', { 0: 'a', 10: 'a', 20: 'b' }],
  ['inconclusive', 'as in plain use, which ends so', 'a b a', { 0: 'a', 10: 'b', 20: 'a' }],
  ['inconclusive', 'more often than twice', 'a a b', { 0: 'a', 10: 'a', 20: 'a', 30: 'b' }],
  ['sent-again', 'before it is asked for', 'a b', { 0: 'a', 10: 'b', 150: 'a', 210: 'a', 220: 'b' }],
  ['holds', 'when it is asked for again', 'a b', { 0: 'a', 10: 'b', 210: 'a', 220: 'b' }],
  ['holds', 'when it is asked for again, after it gave up', 'a b', { 0: 'a', 210: 'a', 220: 'b' }],
  ['inconclusive', 'in place of other work', 'a b', { 0: 'a', 10: 'b', 210: 'a' }],
  ['inconclusive', 'twice when it is asked for again', 'a b', { 0: 'a', 210: 'a', 220: 'a', 230: 'b' }],
])('returns %s given a lost text that a server sends %s', (expected, _what, before, sent) => {
  const use = before.split(' ').map((text, index) => chat(index * 10, { body: body(text) }));
  const requests = Object.entries(sent).map(([at, text]) =>
    chat(Number(at), { body: body(text), outcome: at === '0' ? 'gateway' : 'served' }),
  );
  const restart = requests.some(({ arrivedAt }) => arrivedAt > RESTART.at) ? RESTART : undefined;
  const end = { kind: 'driven', code: 0, output: '', restart } as const;
  const plain = timeline(use, { scenario: 'plain-use' });
  expect(ruled(notSentAgainUnchecked, timeline(requests, { end }), [plain])).toBe(expected);
});

test('does not take an item that is asked for twice on purpose for one that is sent again', () => {
  const items = ['w1', 'w4'].map((id) => ({ id, text: 'Wish 1:' }));
  const lost = chat(0, { body: body('Wish 1: a'), outcome: 'no-answer' });
  const keyless = [lost, chat(20, { body: lost.body })].map((one) => ({ ...one, idempotencyKey: undefined }));
  for (const check of [notSentAgainUnchecked, noAutomaticRetry])
    expect(ruled(check, timeline(keyless, { items }))).toBe('inconclusive');
});

const asked = fc
  .record({
    arrivedAt: fc.nat(600),
    takes: fc.integer({ min: 1, max: 300 }),
    text: fc.constantFrom('a', 'b', 'c'),
    outcome: fc.constantFrom('served', 'gateway', 'rate-limit'),
  })
  .map(({ arrivedAt, takes, text, outcome }) =>
    chat(arrivedAt, { knownAt: arrivedAt + takes, body: body(`Wish ${text}:`), outcome }),
  );

/** Whether a request was lost, and another one for its work was in flight with it or later. */
function isAskedTwice(chats: readonly ObservedRequest[]): boolean {
  return chats.some(
    (lost) =>
      lost.outcome === 'gateway' &&
      chats.some((one) => one !== lost && one.body === lost.body && (one.knownAt ?? 0) >= lost.arrivedAt),
  );
}

test('never passes a caller that asked for lost work once more, while it was in flight or later', () => {
  const items = ['a', 'b', 'c'].map((id) => ({ id, text: `Wish ${id}:` }));
  const found = fc.check(
    fc.property(fc.array(asked, { maxLength: 12 }), fc.constantFrom({}, { items }), (all, more) => {
      const chats = all
        .toSorted((one, other) => one.arrivedAt - other.arrivedAt)
        .map((one, index) => ({ ...one, idempotencyKey: `key-${index}` }));
      return ruled(notSentAgainUnchecked, timeline(chats, more)) !== 'holds' || !isAskedTwice(chats);
    }),
  );
  expect(found.counterexample).toBeNull();
});

test.each([
  ['retried-on-and-on', 5, 'Wish 1: a', []],
  ['inconclusive', 4, 'Wish 1: a', []],
  ['inconclusive', 5, 'a', []],
  ['inconclusive', 5, 'Wish 1: a', [lookup(10)]],
])('returns %s given the same %i times with fresh keys: %s', (expected, times, text, lookups) => {
  const storm = Array.from({ length: times }, (_, i) =>
    chat(i * 20, { body: body(text), outcome: 'unavailable' }),
  );
  expect(ruled(noAutomaticRetry, timeline(storm, { items: WISHES, lookups }))).toBe(expected);
});

test.each([
  ['holds', 'uncertain', {}],
  ['taken-for-served', 'served', {}],
  ['taken-for-refused', 'refused', {}],
  ['not-exercised', 'served', { lookups: [lookup(10, 'key-0')] }],
  ['holds', 'uncertain', { lookups: [lookup(10, 'key-0')] }],
] as const)('returns %s given a record that a lost answer was %s', (expected, outcome, more) => {
  const lost = chat(0, { body: body('Wish 1: a'), outcome: 'cut' });
  const records = [{ wish: 'w1', outcome }];
  expect(ruled(lostAnswerIsUncertain, timeline([lost], { items: WISHES, records, ...more }))).toBe(expected);
});

test('returns holds given a lost answer that a caller without a record looks up', () => {
  const lookups = [lookup(10, 'key-0')];
  expect(ruled(lostAnswerIsUncertain, timeline([LOST], { lookups }))).toBe('holds');
  expect(ruled(lostAnswerIsUncertain, timeline([LOST]))).toBe('not-exercised');
});

test('does not judge by the record of one lost answer how a caller treats another', () => {
  const lost = [1, 2].map((n) => chat(n * 10, { body: body(`Wish ${n}: a`), outcome: 'cut' }));
  const records = [{ wish: 'w1', outcome: 'uncertain' } as const];
  expect(ruled(lostAnswerIsUncertain, timeline(lost, { items: WISHES, records }))).toBe('not-exercised');
});

const FIRST = { body: body('Wish 1: a') };
const SECOND = { body: body('Wish 2: b') };
const THERE = { ...FIRST, place: 'elsewhere' } as const;
const ITS_KEY = { ...SECOND, idempotencyKey: 'key-0' };
const TASK: Partial<CallerFacts> = { items: WISHES };
const LOOKED = { ...TASK, lookups: [lookup(10, 'key-0')] };
const RUNNING_STILL = { ...TASK, lookups: [lookup(10, 'key-0', { 'key-0': 'running' })] };

test.each([
  ['sent-again', 'retried', 'the same wish', chat(300, FIRST), TASK],
  ['sent-again', 'not-exercised', 'it elsewhere', chat(400, THERE), TASK],
  ['not-exercised', 'not-exercised', 'it at once, elsewhere', chat(40, THERE), {}],
  ['not-exercised', 'not-exercised', 'another wish', chat(300, SECOND), TASK],
  ['not-exercised', 'not-exercised', 'another wish with the same key', chat(300, ITS_KEY), TASK],
  ['holds', 'not-exercised', 'the same wish after a look', chat(300, FIRST), LOOKED],
  ['sent-again-under-review', 'not-exercised', 'it after a look', chat(300, FIRST), RUNNING_STILL],
  ['inconclusive', 'inconclusive', 'an equal text of its own', chat(300, FIRST), {}],
] as const)(
  'returns %s and %s given an answer that is held back, and %s meanwhile',
  (checked, retried, _what, next, more) => {
    const held = chat(0, { ...FIRST, isHeld: true, knownAt: 6000 });
    const seen = timeline([held, next], more);
    expect(ruled(notSentAgainUnchecked, seen)).toBe(checked);
    expect(ruled(noAutomaticRetry, seen)).toBe(retried);
  },
);

test('judges hundreds of equal texts that failed, and soon', () => {
  const failed = { ...WORK, outcome: 'unavailable', idempotencyKey: undefined } as const;
  const seen = timeline(Array.from({ length: 500 }, (_, index) => chat(index * 20, failed)));
  expect(ruled(noAutomaticRetry, seen)).toBe('retried');
});

const lostAnd = (more: readonly ObservedRequest[], key: string): Timeline =>
  timeline(
    [chat(0, { ...FIRST, outcome: 'gateway' }), chat(20, { ...FIRST, idempotencyKey: key }), ...more],
    TASK,
  );
const TWICE = [chat(40, SECOND), chat(60, SECOND)];
const TWICE_WITH_ITS_KEY = [chat(40, SECOND), chat(60, { ...SECOND, idempotencyKey: 'key-40' })];

test.each([
  ['sent-again', 'inconclusive', 'each request twice, each with a fresh key', lostAnd(TWICE, 'key-20')],
  ['inconclusive', 'inconclusive', 'each request twice, with one key', lostAnd(TWICE_WITH_ITS_KEY, 'key-0')],
  ['sent-again', 'retried', 'only lost work twice', lostAnd([chat(40, SECOND)], 'key-0')],
  ['sent-again', 'retried', 'lost work again with its key, and others twice', lostAnd(TWICE, 'key-0')],
])('returns %s and %s given a caller that sends %s', (checked, retried, _what, seen) => {
  expect([notSentAgainUnchecked, noAutomaticRetry].map((check) => ruled(check, seen))).toEqual([
    checked,
    retried,
  ]);
});

test('does not take a request beside a lost one, which was served, for a lost one that is recorded as a success', () => {
  const lost = chat(0, { ...FIRST, outcome: 'no-answer', knownAt: 400 });
  const seen = timeline([lost, chat(300, FIRST)], { ...TASK, records: [{ wish: 'w1', outcome: 'served' }] });
  expect(ruled(lostAnswerIsUncertain, seen)).toBe('not-exercised');
});

/** The same question after instructions. */
function instructed(at: number, text: string, outcome: RequestOutcome): ObservedRequest {
  const messages = [
    { role: 'system', content: text },
    { role: 'user', content: 'a' },
  ];
  return chat(at, { body: JSON.stringify({ model: 'm-1', messages }), outcome });
}

test.each([
  ['inconclusive', 'other instructions', 'You help a smith.'],
  ['not-reduced', 'instructions with another clock', 'You help a baker at 9:01.'],
])('returns %s given a question that is refused, and an equal one after %s', (expected, _what, text) => {
  const seen = timeline([
    instructed(0, 'You help a baker at 9:00.', 'token-limit'),
    instructed(20, text, 'served'),
  ]);
  expect(ruled(requestReduced, seen)).toBe(expected);
});
