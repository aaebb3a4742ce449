import { expect, test } from 'vitest';
import type { Check } from '../engine/model/check.ts';
import type { Draft } from '../engine/model/exchange.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { type AnswerForTest, answered, answeredGet } from '../engine/test-support/exchange.ts';
import { senderForTest, ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import {
  contextDiffersByModel,
  largeContextDiffersByModel,
  inputAndOutputTogether,
  largeInputAndOutputTogether,
} from './context-sizes.ts';
import { contextSizesShown, limitHeadersShown, retryAfterShown } from './limits-shown.ts';
import { plainRefusal } from './test-support/plain-refusals.ts';
import { inputLimited, requestedOutputLimited } from './token-limits.ts';

const refusal = (code: string, message: string): AnswerForTest => ({
  status: 400,
  body: { error: { code, message } },
});
const REFUSED = refusal('token_limit', 'Too large.');

const sized = (small: number, sharp: number): TargetInfo =>
  infoForTest({
    models: [
      { id: 'small', contextTokens: small },
      { id: 'sharp', contextTokens: sharp },
    ],
  });
const SIZED = sized(1000, 4000);

interface SentChat {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly { readonly content: string }[];
}

type Service = (chat: SentChat) => AnswerForTest;

/** A service of one token for four bytes, with the contexts of `SIZED`; `lax` is where it does not look, `added` what it counts beside the text. */
function serviceOf(
  lax: 'nowhere' | 'input' | 'output' | 'sum' = 'nowhere',
  added: number | 'no usage' = 0,
): Service {
  const contexts: Readonly<Record<string, number>> = { small: 1000, sharp: 4000 };
  return ({ model, max_tokens, messages }) => {
    const input = Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 4);
    const context = contexts[model] ?? 0;
    const over =
      (lax !== 'input' && input > context) ||
      (lax !== 'output' && max_tokens > context) ||
      (lax === 'nowhere' && input + max_tokens > context);
    if (over) return REFUSED;
    const choices = [{ message: { content: 'Hi.' } }];
    if (added === 'no usage') return { body: { choices } };
    return { body: { choices, usage: { prompt_tokens: input + added, completion_tokens: 1 } } };
  };
}

/** Another answer wherever a service refuses. */
const refusingWith =
  (other: AnswerForTest, service = serviceOf()): Service =>
  (chat) => {
    const answer = service(chat);
    return answer === REFUSED ? other : answer;
  };

const chatIn = ({ body }: Draft): SentChat => JSON.parse(String(body));

/** The trial of the first input of a check, its ruling, and what was sent. */
async function tried(check: Check, service: Service, info = SIZED, plain = plainRefusal, at = 0) {
  const sent: Draft[] = [];
  const sender = senderForTest((draft) => {
    sent.push(draft);
    return plain(draft) ?? service(chatIn(draft));
  });
  const trial = await check.given.send(check.given.inputs(info).examples[at], sender, info);
  return { kind: ruled(check, trial, info).kind, count: trial.exchanges.length, sent };
}

const kindOf = async (check: Check, service: Service): Promise<string> => (await tried(check, service)).kind;

const CHECKS = [requestedOutputLimited, inputLimited, inputAndOutputTogether, contextDiffersByModel];
const SERVED_600: AnswerForTest = { body: { choices: [{ message: {} }], usage: { prompt_tokens: 600 } } };

/** The rulings by their first letters: it holds, is violated, not exercised, inconclusive. */
test.each<[string, Service, string]>([
  ['keeps its limits', serviceOf(), 'h h h h'],
  ['limits no output', serviceOf('output'), 'v h v n'],
  ['limits no input', serviceOf('input'), 'h v v h'],
  ['limits no sum', serviceOf('sum'), 'h h v h'],
  ['keeps its limits, and shows no usage', serviceOf('nowhere', 'no usage'), 'h h h h'],
  ['limits no sum, and shows no usage', serviceOf('sum', 'no usage'), 'h h v h'],
  ['limits every model as its largest', (chat) => serviceOf()({ ...chat, model: 'sharp' }), 'h v v v'],
  ['serves 500 tokens at most', (chat) => (chat.max_tokens > 500 ? REFUSED : serviceOf()(chat)), 'h h n n'],
  ['the same without a sum', (chat) => (chat.max_tokens > 500 ? REFUSED : serviceOf('sum')(chat)), 'h h n n'],
  ['reports a usage of 600', (chat) => (serviceOf()(chat) === REFUSED ? REFUSED : SERVED_600), 'h h i h'],
  ['refuses everything', () => REFUSED, 'n n n n'],
  ['refuses without an error object', refusingWith({ status: 400, body: 'Too large.' }), 'i i i i'],
])('given a service that %s', async (_, service, kinds) => {
  const judged = await Promise.all(CHECKS.map((check) => kindOf(check, service)));
  expect(judged.map(([first]) => first).join(' ')).toBe(kinds);
});

const capped =
  (service: Service): Service =>
  (chat) =>
    chat.max_tokens > 300 ? REFUSED : service(chat);

test.each<[string, Service, string]>([
  ['keeps its limits', serviceOf(), 'h h'],
  ['counts what it adds to a chat', serviceOf('nowhere', 90), 'h h'],
  ['limits no sum', serviceOf('sum'), 'v h'],
  ['limits every model as its largest', (chat) => serviceOf()({ ...chat, model: 'sharp' }), 'v v'],
  ['shows no usage', serviceOf('nowhere', 'no usage'), 'n h'],
])('grows the input given a service that grants little output and %s', async (_, service, kinds) => {
  const judged = [
    await tried(inputAndOutputTogether, capped(service), SIZED, plainRefusal, 1),
    await tried(contextDiffersByModel, capped(service), sized(600, 4000), plainRefusal, 1),
  ];
  expect(judged.map(({ kind: [first] }) => first).join(' ')).toBe(kinds);
});

const PAGE: AnswerForTest = { status: 413, headers: { 'content-type': 'text/html' }, body: '<html>' };

test.each([
  ['a page for whatever is too large', 5000, 'violated'],
  ['a page for what is far too large, and else its own error', 9000, 'holds'],
] as const)('given a service that answers %s', async (_, most, kind) => {
  const fronted: Service = (chat) => (JSON.stringify(chat.messages).length > most ? PAGE : serviceOf()(chat));
  expect((await tried(inputLimited, fronted)).kind).toBe(kind);
});

const MALFORMED = 'The body is malformed or too large.';

/** Where every mistake has one code. */
const alike = (draft: Draft) => (plainRefusal(draft) === undefined ? undefined : refusal('bad', MALFORMED));

test.each([
  ['invalid_json', 'The body is not JSON.', 'violated', plainRefusal],
  [
    'invalid_json',
    'Unexpected token e in JSON at position 100000, length 100000',
    'inconclusive',
    plainRefusal,
  ],
  ['invalid_json', 'The body has more tokens than the context.', 'inconclusive', plainRefusal],
  ['unknown_model', 'nope', 'inconclusive', plainRefusal],
  ['unknown_field', 'max_tokens must be at most 4096', 'inconclusive', plainRefusal],
  ['a_code_of_its_own', 'nope', 'holds', plainRefusal],
  ['bad', MALFORMED, 'inconclusive', alike],
  ['bad', 'The input has more tokens than the context.', 'holds', alike],
] as const)(
  'takes a refusal with the code %s and the message "%s": %s',
  async (code, message, kind, plain) => {
    for (const check of [requestedOutputLimited, inputLimited]) {
      const found = await tried(check, refusingWith(refusal(code, message)), SIZED, plain);
      expect([check.id, found.kind]).toEqual([check.id, kind]);
    }
  },
);

test('asks for input and output that fit alone, but not together', async () => {
  const { sent } = await tried(inputAndOutputTogether, serviceOf());
  const [counterpart, mutant] = sent.map(chatIn);
  expect(counterpart?.messages).toEqual(mutant?.messages);
  const input = Math.ceil((mutant?.messages[0]?.content.length ?? 0) / 4);
  expect(mutant?.max_tokens).toBeLessThanOrEqual(1000);
  expect(input + (mutant?.max_tokens ?? 0)).toBeGreaterThan(1000);
  expect(sent[1]?.needsOutput).toBe(mutant?.max_tokens);
});

test('asks for output that fills the context given a service that does not show the size of its input', async () => {
  const { sent } = await tried(inputAndOutputTogether, serviceOf('nowhere', 'no usage'));
  expect(sent[1]?.needsOutput).toBe(1000);
});

test('asks a large context for much output alone only where that is allowed', async () => {
  const service: Service = ({ messages, max_tokens }) =>
    max_tokens + (messages[0]?.content.length ?? 0) / 4 > 8000
      ? REFUSED
      : serviceOf()({ model: 'small', max_tokens: 1, messages });
  const large = infoForTest({ models: [{ id: 'small', contextTokens: 8000 }] });
  expect(await tried(inputAndOutputTogether, service, large)).toMatchObject({
    count: 1,
    kind: 'not-exercised',
  });
  expect(await tried(largeInputAndOutputTogether, service, large)).toMatchObject({ count: 2, kind: 'holds' });
});

test('does not exercise LIM-1 given an old journal, which holds nothing beyond a counterpart of unknown size', () => {
  const counterpart = answered(serviceOf()({ model: 'small', max_tokens: 8, messages: [] }));
  const trial = { exchanges: [counterpart], counterpart };
  expect(ruled(inputAndOutputTogether, trial, SIZED).kind).toBe('not-exercised');
});

test.each<[Check, TargetInfo, string]>([
  [inputLimited, infoForTest(), 'no context size is known (not asked: small, sharp)'],
  [inputAndOutputTogether, infoForTest(), 'not asked'],
  [contextDiffersByModel, infoForTest(), ''],
  [largeContextDiffersByModel, infoForTest(), ''],
  [largeInputAndOutputTogether, SIZED, 'input-and-output-together'],
  [contextDiffersByModel, sized(8192, 32_768), '8192'],
  [largeContextDiffersByModel, SIZED, ''],
])('$0.id: is skipped, with $1.models, for a reason with $2', ({ given }, info, reason) => {
  expect(given.skipReason?.(info)).toContain(reason);
});

test.each([
  [requestedOutputLimited, infoForTest()],
  [largeContextDiffersByModel, sized(8192, 32_768)],
  [contextDiffersByModel, SIZED],
])('$0.id: is sent, with $1.models', ({ given }, info) => {
  expect(given.skipReason?.(info)).toBeUndefined();
});

test('observes the context sizes that records show to the primary key', () => {
  const body = { data: [{ id: 'a', context_length: 5 }, { id: 'b' }, { context_length: 7 }] };
  const second = { credential: { kind: 'key', name: 'second' } } as const;
  const shown = [
    answeredGet('/models', { body }),
    answeredGet('/models', { body }, second),
    answeredGet('/models', { body: '3' }),
  ].map((exchange) => ruled(contextSizesShown, { exchanges: [exchange] }, SIZED));
  expect(shown).toMatchObject([
    { kind: 'observed', observations: [{ point: 'limits.context_tokens', value: { a: 5 } }] },
    { kind: 'not-exercised' },
    { kind: 'not-exercised' },
  ]);
});

test('observes headers of limits, and how long a rate limit error asks to wait', () => {
  const headers = { 'x-rate-limit-reset': '9', ratelimit: 'r=3', 'content-type': 'application/json' };
  expect(ruled(limitHeadersShown, { exchanges: [answered({ headers, body: '{}' })] }, SIZED)).toEqual({
    kind: 'observed',
    observations: [{ point: 'limits.headers', value: ['ratelimit', 'x-rate-limit-reset'] }],
  });
  const limited = answered({ status: 429, headers: { 'retry-after': '2' }, body: '{}' });
  expect(ruled(retryAfterShown, { exchanges: [limited] }, SIZED)).toMatchObject({
    observations: [{ point: 'limits.retry_after', value: '2' }],
  });
  // Other requests of the run may have met one.
  expect(ruled(retryAfterShown, { exchanges: [answered({ body: '{}' })] }, SIZED)).toEqual({
    kind: 'not-exercised',
    reason: 'the simultaneous requests got no rate limit error',
  });
});
