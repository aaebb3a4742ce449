import { expect, test } from 'vitest';
import type { Invariant } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { judgeInvariants } from '../engine/running/judge-invariants.ts';
import { answered, eventStream } from '../engine/test-support/exchange.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { usageNotAlwaysZero, usagePossible } from './usage-possible.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const ZERO = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

function response(usage: object, content = 'Hello.'): Exchange {
  return answered({ body: { choices: [{ message: { content } }], usage } }, CHAT);
}

function stream(usage: object): Exchange {
  return answered(eventStream({ choices: [{ delta: { content: 'Hi.' } }], usage }), {
    ...CHAT,
    stream: true,
  });
}

const kinds = (...exchanges: readonly Exchange[]) => kindsBy(usageNotAlwaysZero, exchanges);

function kindsBy({ ofRun }: Invariant, exchanges: readonly Exchange[]) {
  const judge = ofRun?.(infoForTest());
  for (const exchange of exchanges) judge?.note(exchange);
  return judge?.rulings().map(([, { kind }]) => kind);
}

const thrice = (make: () => Exchange): readonly Exchange[] => [1, 2, 3].map(make);

const THRICE = ['violated', 'violated', 'violated'];
const ZEROS = thrice(() => response(ZERO));
const COUNTED = response({ ...ZERO, completion_tokens: 2 });

test.each([
  ['a text in every answer, and never a token', ZEROS, THRICE],
  ['the same in streams', thrice(() => stream({ total_tokens: 0 })), THRICE],
  ['that of streams beside a whole answer', [COUNTED, ...thrice(() => stream(ZERO))], ['holds', ...THRICE]],
  ['one answer that counts something', [...ZEROS, response({ prompt_tokens: 1 })], ['holds']],
])('usage-not-always-zero: judges %s', (_, exchanges, expected) => {
  expect(kinds(...exchanges)).toEqual(expected);
});

test.each([
  ['few answers', [response(ZERO), response(ZERO)]],
  ['answers without a text', thrice(() => response(ZERO, ''))],
  ['a price of 0', thrice(() => response({ credits: 0 }))],
  ['refusals', thrice(() => answered({ status: 400, body: { usage: ZERO } }, CHAT))],
])('rules nothing of %s, and a run says why', (_, exchanges) => {
  expect(kinds(...exchanges)).toEqual([]);
  const [entry] = judgeInvariants([usageNotAlwaysZero], exchanges, infoForTest());
  expect(entry?.rulings).toMatchObject([[expect.anything(), { kind: 'not-exercised' }]]);
});

/** The kinds of the rulings on the input tokens that usages count, of texts of so many bytes. */
function ofInputs(tokensOf: (bytes: number) => number) {
  const exchanges = [10, 14, 195, 330, 410].map((bytes) => {
    const chat = { ...CHAT, messages: [{ role: 'user', content: 'x'.repeat(bytes) }] };
    const usage = { prompt_tokens: tokensOf(bytes) };
    return answered({ body: { choices: [{ message: { content: 'Hi.' } }], usage } }, chat);
  });
  return new Set(kindsBy(usagePossible, exchanges));
}

const inBlocksOf = (size: number) => (bytes: number) => Math.ceil(bytes / 4 / size) * size;

test.each<[string, (bytes: number) => number, ...('holds' | 'violated')[]]>([
  ['that never grow', () => 9, 'violated'],
  ['that hardly grow', (bytes) => 9 + Math.floor(bytes / 100), 'violated'],
  ['without what was added', (bytes) => Math.ceil(bytes / 4), 'holds'],
  ['in blocks of 16', inBlocksOf(16), 'holds'],
  ['in blocks of 64', inBlocksOf(64), 'holds'],
  ['in blocks larger than any of the texts', inBlocksOf(128)],
  ['with a least charge', (bytes) => Math.max(1000, bytes)],
  ['rounded to the nearest ten', (bytes) => Math.round(bytes / 40) * 10, 'holds'],
])('usage-possible: judges input tokens %s', (_, tokensOf, ...expected) => {
  expect(ofInputs(tokensOf)).toEqual(new Set(expected));
});

test.each<[string, readonly number[], ...('holds' | 'violated')[]]>([
  ['that are a running total', [9, 18, 27, 36, 45], 'violated'],
  ['that a cache takes off', [9, 0, 0, 0, 0], 'holds'],
  ['too few to tell', [9, 18, 27, 36]],
])('usage-possible: judges input tokens of equal inputs %s', (_, tokens, ...expected) => {
  const exchanges = tokens.map((prompt_tokens) => response({ prompt_tokens }));
  expect(new Set(kindsBy(usagePossible, exchanges))).toEqual(new Set(expected));
});
