import { expect, test } from 'vitest';
import type { Check } from '../kit/model/check.ts';
import type { Exchange, Draft } from '../kit/model/exchange.ts';
import type { Sender, Trial } from '../kit/model/stimulus.ts';
import type { TargetInfo } from '../kit/model/target.ts';
import { type AnswerForTest, answered, answeredGet } from '../kit/test-support/exchange.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { contextDiffersByModel, largeContextDiffersByModel } from './context-differs-by-model.ts';
import { inputAndOutputTogether, largeInputAndOutputTogether } from './input-and-output-together.ts';
import { inputLimited } from './input-limited.ts';
import { contextSizesShown, limitHeadersShown, retryAfterShown } from './limits-shown.ts';
import { requestedOutputLimited } from './requested-output-limited.ts';
import { plainRefusal } from './test-support/plain-refusals.ts';
import { longText } from './token-limits.ts';

const REFUSED: AnswerForTest = {
  status: 400,
  body: { error: { code: 'token_limit', message: 'Too large.' } },
};
const SIZED = infoForTest({
  models: [
    { id: 'small', contextTokens: 1000 },
    { id: 'sharp', contextTokens: 4000 },
  ],
});

interface SentChat {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly { readonly content: string }[];
}

/** A service of one token a byte, with the contexts of `SIZED`; `lax` is where it does not look. */
function serviceOf(lax: 'nowhere' | 'input' | 'output' | 'sum' = 'nowhere', usage = true) {
  const contexts: Readonly<Record<string, number>> = { small: 1000, sharp: 4000 };
  return ({ model, max_tokens, messages }: SentChat): AnswerForTest => {
    const input = Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 4);
    const context = contexts[model] ?? 0;
    const over =
      (lax !== 'input' && input > context) ||
      (lax !== 'output' && max_tokens > context) ||
      (lax !== 'sum' && lax !== 'input' && lax !== 'output' && input + max_tokens > context);
    if (over) return REFUSED;
    const choices = [{ message: { content: 'Hi.' } }];
    return { body: { choices, ...(usage && { usage: { prompt_tokens: input, completion_tokens: 1 } }) } };
  };
}

function senderTo(service: (chat: SentChat) => AnswerForTest, sent: Draft[] = []): Sender {
  const send = async (draft: Draft): Promise<Exchange> => {
    sent.push(draft);
    const text = Buffer.from(draft.body ?? '').toString();
    return answered(plainRefusal(draft) ?? service(JSON.parse(text)), text);
  };
  return { send, sendCounterpart: send, provoke: send };
}

async function trialOf(check: Check, sender: Sender, info: TargetInfo = SIZED): Promise<Trial> {
  return check.given.send(check.given.inputs(info).examples[0], sender, info);
}

async function kindOf(check: Check, service: (chat: SentChat) => AnswerForTest): Promise<string> {
  return check.holds(await trialOf(check, senderTo(service)), SIZED).kind;
}

const CHECKS = [requestedOutputLimited, inputLimited, inputAndOutputTogether, contextDiffersByModel];

test('every check holds given a service that keeps its limits', async () => {
  for (const check of CHECKS)
    expect([check.id, await kindOf(check, serviceOf())]).toEqual([check.id, 'holds']);
});

test.each([
  ['output', [requestedOutputLimited]],
  ['input', [inputLimited]],
  ['sum', [inputAndOutputTogether]],
] as const)('violated given a service that does not limit the %s', async (lax, checks) => {
  for (const check of checks)
    expect([check.id, await kindOf(check, serviceOf(lax))]).toEqual([check.id, 'violated']);
});

test('blames LIM-2 where the largest context limits all models, and not where no context limits anything', async () => {
  const service = serviceOf();
  const ofTheLargest = (chat: SentChat) => service({ ...chat, model: 'sharp' });
  expect(await kindOf(contextDiffersByModel, ofTheLargest)).toBe('violated');
  expect(await kindOf(contextDiffersByModel, serviceOf('output'))).toBe('not-exercised');
});

test('not exercised given a service that refuses everything', async () => {
  for (const check of CHECKS) expect(await kindOf(check, () => REFUSED)).toBe('not-exercised');
});

test('inconclusive given a refusal without an error object, which ERR-1 blames', async () => {
  const service = serviceOf();
  const bare = (chat: SentChat): AnswerForTest => {
    const answer = service(chat);
    return answer === REFUSED ? { status: 400, body: 'Too large.' } : answer;
  };
  for (const check of CHECKS) expect(await kindOf(check, bare)).toBe('inconclusive');
});

test.each([
  ['invalid_json', 'The body is not JSON.', 'inconclusive'],
  ['invalid_json', 'Unexpected token e in JSON at position 100000, length 100000', 'inconclusive'],
  ['invalid_json', 'The body has more tokens than the context.', 'inconclusive'],
  ['unknown_model', 'nope', 'inconclusive'],
  ['unknown_field', 'max_tokens must be at most 4096', 'inconclusive'],
  ['a_code_of_its_own', 'nope', 'holds'],
] as const)(
  'decides by the message whether a refusal with the code %s and the message "%s" is one of a limit',
  async (code, message, kind) => {
    const service = serviceOf();
    const erring = (chat: SentChat): AnswerForTest => {
      const answer = service(chat);
      return answer === REFUSED ? { status: 400, body: { error: { code, message } } } : answer;
    };
    for (const check of [requestedOutputLimited, inputLimited])
      expect([check.id, await kindOf(check, erring)]).toEqual([check.id, kind]);
  },
);

test.each([
  ['The body is malformed or too large.', 'inconclusive'],
  ['The input has more tokens than the context.', 'holds'],
])('decides by the message "%s" where every mistake has one code', async (message, kind) => {
  const service = serviceOf();
  const send = async (draft: Draft): Promise<Exchange> => {
    const text = Buffer.from(draft.body ?? '').toString();
    const isPlain = plainRefusal(draft) !== undefined;
    const answer = isPlain ? REFUSED : service(JSON.parse(text));
    const said = isPlain ? 'The body is malformed or too large.' : message;
    return answered(
      answer === REFUSED ? { status: 400, body: { error: { code: 'bad', message: said } } } : answer,
      text,
    );
  };
  const sender = { send, sendCounterpart: send, provoke: send };
  for (const check of [requestedOutputLimited, inputLimited])
    expect(check.holds(await trialOf(check, sender), SIZED).kind).toBe(kind);
});

test('asks for input and output that fit alone, but not together', async () => {
  const sent: Draft[] = [];
  await trialOf(inputAndOutputTogether, senderTo(serviceOf(), sent));
  const [counterpart, mutant] = sent.map(({ body }): SentChat =>
    JSON.parse(Buffer.from(body ?? '').toString()),
  );
  expect(counterpart?.messages).toEqual(mutant?.messages);
  const input = Math.ceil((mutant?.messages[0]?.content.length ?? 0) / 4);
  expect(mutant?.max_tokens).toBeLessThanOrEqual(1000);
  expect(input + (mutant?.max_tokens ?? 0)).toBeGreaterThan(1000);
  expect(sent[1]?.needsOutput).toBe(mutant?.max_tokens);
});

test('asks for output that fills the context beside any input, given a service that does not show its size', async () => {
  const sent: Draft[] = [];
  const trial = await trialOf(inputAndOutputTogether, senderTo(serviceOf('nowhere', false), sent));
  expect(sent[1]?.needsOutput).toBe(1000);
  expect(inputAndOutputTogether.holds(trial, SIZED).kind).toBe('holds');
  const lax = await trialOf(inputAndOutputTogether, senderTo(serviceOf('sum', false)));
  expect(inputAndOutputTogether.holds(lax, SIZED).kind).toBe('violated');
});

test('does not exercise LIM-1 where so much output is refused without the input too', async () => {
  const capped = (lax: 'nowhere' | 'sum') => (chat: SentChat) =>
    chat.max_tokens > 500 ? REFUSED : serviceOf(lax)(chat);
  expect(await kindOf(inputAndOutputTogether, capped('nowhere'))).toBe('not-exercised');
  expect(await kindOf(inputAndOutputTogether, capped('sum'))).toBe('not-exercised');
});

test('blames no limit that the usage makes look too small', async () => {
  const service = serviceOf();
  const boasting = (chat: SentChat): AnswerForTest => {
    const answer = service(chat);
    return answer === REFUSED
      ? answer
      : { body: { choices: [{ message: { content: 'Hi.' } }], usage: { prompt_tokens: 600 } } };
  };
  expect(await kindOf(inputAndOutputTogether, boasting)).toBe('inconclusive');
});

test('asks a large context for much output alone only where that is allowed', async () => {
  const service = ({ messages, max_tokens }: SentChat): AnswerForTest =>
    max_tokens + (messages[0]?.content.length ?? 0) / 4 > 8000
      ? REFUSED
      : serviceOf()({ model: 'small', max_tokens: 1, messages });
  const large = infoForTest({ models: [{ id: 'small', contextTokens: 8000 }] });
  const rulings = await Promise.all(
    [inputAndOutputTogether, largeInputAndOutputTogether].map(async (check) => {
      const trial = await trialOf(check, senderTo(service), large);
      return [trial.exchanges.length, check.holds(trial, large).kind];
    }),
  );
  expect(rulings).toEqual([
    [1, 'not-exercised'],
    [2, 'holds'],
  ]);
  expect(largeInputAndOutputTogether.given.skipReason?.(SIZED)).toContain('input-and-output-together');
});

test('does not exercise LIM-1 given an old journal, which holds nothing beyond a counterpart of unknown size', () => {
  const counterpart = answered(serviceOf()({ model: 'small', max_tokens: 8, messages: [] }));
  expect(inputAndOutputTogether.holds({ exchanges: [counterpart], counterpart }, SIZED).kind).toBe(
    'not-exercised',
  );
});

test('lacks known context sizes', () => {
  const info = infoForTest();
  for (const check of [
    inputLimited,
    inputAndOutputTogether,
    contextDiffersByModel,
    largeContextDiffersByModel,
  ]) {
    expect(check.given.skipReason?.(info)).toBeTypeOf('string');
  }
  expect(requestedOutputLimited.given.skipReason).toBeUndefined();
});

test('leaves large contexts to the check that costs more', () => {
  const large = infoForTest({
    models: [
      { id: 'small', contextTokens: 8192 },
      { id: 'sharp', contextTokens: 32_768 },
    ],
  });
  expect(contextDiffersByModel.given.skipReason?.(large)).toContain('8193');
  expect(largeContextDiffersByModel.given.skipReason?.(large)).toBeUndefined();
  expect(contextDiffersByModel.given.skipReason?.(SIZED)).toBeUndefined();
  expect(largeContextDiffersByModel.given.skipReason?.(SIZED)).toBeTypeOf('string');
});

test('makes texts of about the length that is asked for, in words that do not repeat', () => {
  const text = longText(1000);
  expect(text.length).toBeGreaterThan(4000);
  expect(text.length).toBeLessThan(4200);
  const parts = text.split(', ');
  expect(new Set(parts).size).toBe(parts.length);
});

test('observes the context sizes that records show to the primary key', () => {
  const body = { data: [{ id: 'a', context_length: 5 }, { id: 'b' }, { context_length: 7 }] };
  expect(contextSizesShown.holds({ exchanges: [answeredGet('/models', { body })] }, SIZED)).toStrictEqual({
    kind: 'observed',
    observations: [{ point: 'limits.context_tokens', value: { a: 5 } }],
  });
  const credential = { kind: 'key', name: 'second' } as const;
  const ofSecond = { exchanges: [answeredGet('/models', { body }, { credential })] };
  expect(contextSizesShown.holds(ofSecond, SIZED).kind).toBe('not-exercised');
  const noList = { exchanges: [answeredGet('/models', { body: '3' })] };
  expect(contextSizesShown.holds(noList, SIZED).kind).toBe('not-exercised');
});

test('observes headers of limits, and how long a rate limit error asks to wait', () => {
  const headers = { 'x-rate-limit-reset': '9', ratelimit: 'r=3', 'content-type': 'application/json' };
  expect(limitHeadersShown.holds({ exchanges: [answered({ headers, body: '{}' })] }, SIZED)).toEqual({
    kind: 'observed',
    observations: [{ point: 'limits.headers', value: ['ratelimit', 'x-rate-limit-reset'] }],
  });
  const limited = answered({ status: 429, headers: { 'retry-after': '2' }, body: '{}' });
  expect(retryAfterShown.holds({ exchanges: [limited] }, SIZED)).toMatchObject({
    observations: [{ point: 'limits.retry_after', value: '2' }],
  });
  // Other requests of the run may have met one.
  expect(retryAfterShown.holds({ exchanges: [answered({ body: '{}' })] }, SIZED)).toEqual({
    kind: 'not-exercised',
    reason: 'the requests that came at once met no rate limit error',
  });
});
