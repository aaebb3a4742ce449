import { expect, test } from 'vitest';
import { freshKeyPerRequest, keyRetained, detailsKept } from './idempotency-keys.ts';
import { body, chat, lookup, ruled, testRulings, timeline } from './test-support/timeline.ts';

const KEY = { idempotencyKey: 'one' };
const SAME = { ...KEY, body: body('a') };
const REFUSED = chat(0, { ...SAME, outcome: 'unavailable' });
const LOST = chat(0, { ...SAME, outcome: 'gateway' });

testRulings(freshKeyPerRequest, [
  ['holds', 'each with its own key', [chat(0), chat(10)]],
  ['no-key', 'no key', [chat(0), chat(10, { idempotencyKey: undefined })]],
  ['no-key', 'an empty key', [chat(0, { idempotencyKey: '' })]],
  ['key-reused', 'one key for two texts', [chat(0, KEY), chat(10, KEY)]],
  ['key-reused', 'the key of what was served', [chat(0, SAME), chat(10, SAME)]],
  ['key-reused', 'the key of a request still in flight', [chat(0, SAME), chat(2, SAME)]],
  ['key-reused', 'another body after a refusal', [REFUSED, chat(10, KEY)]],
  ['holds', 'the same again after a refusal', [REFUSED, chat(10, SAME)]],
  ['holds', 'the same again after a loss', [LOST, chat(10, SAME)]],
  ['not-exercised', 'nothing', []],
]);

test('finds a key again that an earlier scenario saw, unless it goes with the same request, which failed', () => {
  const plain = timeline([chat(0, SAME)], { scenario: 'plain-use' });
  const failed = timeline([REFUSED], { scenario: 'unavailable' });
  expect(ruled(freshKeyPerRequest, timeline([chat(0, KEY)]), [plain])).toBe('key-of-an-earlier-scenario');
  expect(ruled(freshKeyPerRequest, timeline([chat(0, SAME)]), [plain])).toBe('key-of-an-earlier-scenario');
  expect(ruled(freshKeyPerRequest, timeline([chat(0, SAME)]), [failed])).toBe('holds');
  expect(ruled(freshKeyPerRequest, timeline([chat(0)]), [plain])).toBe('holds');
});

const printed = (output: string): object => ({ end: { kind: 'exited', code: 1, output } });
const recorded = (idempotencyKey: string): object => ({
  records: [{ wish: 'w', outcome: 'uncertain', idempotencyKey }],
});

test.each([
  ['holds', 'a key that was printed', printed('failed: one')],
  ['holds', 'a key that was written down', recorded('one')],
  ['holds', 'a key in a file', { files: 'two sent\none sent\n' }],
  ['holds', 'a key that was looked up', { lookups: [lookup(10, 'one')] }],
  ['not-exercised', 'a look at everything, which takes no key', { lookups: [lookup(10)] }],
  ['key-lost', 'a record without the key', recorded('other')],
  ['not-exercised', 'no trace', {}],
  ['not-exercised', 'an empty record, as after a crash', { records: [] }],
] as const)('returns %s for the key kept, given %s', (expected, _what, more) => {
  expect(ruled(keyRetained, timeline([LOST], more))).toBe(expected);
  expect(ruled(detailsKept, timeline([LOST], more))).toBe(
    expected === 'key-lost' ? 'details-lost' : expected,
  );
});

testRulings(keyRetained, [
  ['not-exercised', 'no key', [{ ...LOST, idempotencyKey: undefined }], recorded('other')],
  ['not-exercised', 'no failure', [chat(0), chat(1, { outcome: 'running' })]],
]);

const written = (at: number): object => ({
  end: { kind: 'exited', code: 1, output: 'one', written: [{ at, text: 'one' }] },
});

testRulings(detailsKept, [
  ['not-exercised', 'no failed gateway', [chat(0, { outcome: 'cut' })]],
  ['holds', 'a key that was printed after the answer', [LOST], written(9)],
  ['not-exercised', 'a key that was printed before it', [LOST], written(1)],
  ['not-exercised', 'the same, and records of others', [LOST], { ...written(1), ...recorded('other') }],
]);
testRulings(keyRetained, [['holds', 'a key that was printed before the answer', [LOST], written(1)]]);
