import { expect, test } from 'vitest';
import type { Check } from '../engine/model/check.ts';
import type { Ruling } from '../engine/model/ruling.ts';
import type { AnswerForTest } from '../engine/test-support/exchange.ts';
import { senderForTest, ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { growingInputAndOutputTogether, growingInputLimited } from './growing-input.ts';
import { plainRefusal } from './test-support/plain-refusals.ts';

const KIB = 1024;

interface Limits {
  /** Tokens of four bytes. */
  readonly context?: number;
  /** Bytes of the whole body. */
  readonly body?: number;
  /** Larger inputs are cut to the context. */
  readonly cuts?: true;
  /** The largest max_tokens. */
  readonly output?: number;
  /** Whether the output counts towards the context. */
  readonly alone?: true;
  readonly usage?: (tokens: number) => object;
  readonly refusal?: string;
}

const NAMED = (tokens: number) => ({ prompt_tokens: tokens, completion_tokens: 1 });

function refused(message: string): AnswerForTest {
  return { status: 400, body: { error: { code: 'too_large', message, request_id: 'r' } } };
}

/** A service that says nothing of its limits, and the bytes of each text and the max_tokens that it was sent. */
function serviceWith(limits: Limits) {
  const { context = Infinity, body = Infinity, output = Infinity, usage = NAMED } = limits;
  const sent: [bytes: number, maxTokens: number][] = [];
  const sender = senderForTest((draft) => {
    const plain = plainRefusal(draft);
    if (plain !== undefined) return plain;
    const { messages, max_tokens: maxTokens } = JSON.parse(String(draft.body));
    const bytes = messages[0].content.length;
    sent.push([bytes, maxTokens]);
    const whole = Math.ceil(bytes / 4);
    const tokens = limits.cuts === true ? Math.min(whole, context - 64) : whole;
    const isTooLarge = tokens + (limits.alone === true ? 0 : maxTokens) > context;
    if (String(draft.body).length > body || maxTokens > output || isTooLarge)
      return refused(limits.refusal ?? 'More than the context has room for.');
    return { body: { choices: [{ message: { content: 'Hi.' } }], usage: usage(tokens) } };
  });
  return { sender, sent };
}

const INFO = infoForTest();

async function ruling(check: Check, limits: Limits): Promise<Ruling> {
  return ruled(check, await check.given.send('ladder', serviceWith(limits).sender, INFO), INFO);
}

/** What both checks say of the same requests. */
async function kinds(limits: Limits, info = INFO): Promise<readonly string[]> {
  const trial = await growingInputLimited.given.send('ladder', serviceWith(limits).sender, info);
  return [growingInputLimited, growingInputAndOutputTogether].map((each) => ruled(each, trial, info).kind);
}

const PAGED = 'Input too long.';
const HALVED = (tokens: number) => ({ input: tokens / 2 });

/** The rulings by their first letters: it holds, is violated, not exercised, inconclusive. */
test.each<readonly [string, string, Limits]>([
  ...[1024, 2000, 8192, 100_000].map((context) => [`a context of ${context}`, 'h h', { context }] as const),
  ['a usage that calls it tokens in', 'h h', { context: 5000, usage: (tokens) => ({ tokens_in: tokens }) }],
  ['more served together than the context that a refusal names', 'h v', { context: 5000, alone: true }],
  ['a refusal that names another limit', 'h i', { context: 5000, alone: true, refusal: PAGED }],
  ['a limit of the body', 'h i', { body: 100_000, refusal: PAGED }],
  ['a usage of something else', 'h n', { context: 5000, alone: true, usage: HALVED }],
  ['a usage of credits', 'h n', { context: 5000, alone: true, usage: () => ({ credits: 7 }) }],
  ['an empty usage', 'h n', { context: 5000, alone: true, usage: () => ({}) }],
  ['a limit of the output', 'h n', { context: 5000, output: 64 }],
  ['input tokens that stop growing: what did not fit was dropped', 'v n', { context: 5000, cuts: true }],
  ['a limit that 4 MiB do not meet', 'n n', {}],
  ['a usage that never changes', 'n n', { usage: () => NAMED(12) }],
  ['a service that refuses everything', 'n n', { context: 1 }],
])('given %s, rules on ERR-4 and LIM-1: %s', async (_, expected, limits) => {
  const judged = await kinds(limits);
  expect(judged.map(([first]) => first).join(' ')).toBe(expected);
});

test('shows the request that was served, and what was counted', async () => {
  const together: Limits = { context: 5000, alone: true };
  expect(await ruling(growingInputAndOutputTogether, together)).toMatchObject({ finding: { exchange: 2 } });
  expect(await ruling(growingInputLimited, { context: 5000, cuts: true })).toMatchObject({
    finding: { actual: '4936 input tokens for 65536 bytes of text, and 4936 for 524288' },
  });
});

test('end at the first refusal, and come close to it in a few steps', async () => {
  const { sender, sent } = serviceWith({ context: 5000 });
  await growingInputLimited.given.send('ladder', sender, INFO);
  const rounded = sent.map(([bytes]) => Math.round(bytes / KIB));
  expect(rounded).toEqual([0, 8, 64, 23, 14, 17, 0, 17]);
  expect(sent.at(-1)?.[1]).toBeLessThan(5000);
});

test('are not sent where a context is known that is small enough to fill', () => {
  const models = [{ id: 'a', contextTokens: 8192 }] as const;
  expect(growingInputLimited.given.skipReason?.(infoForTest({ models }))).toContain('input-limited');
  const large = [{ id: 'a', contextTokens: 100_000 }] as const;
  expect(growingInputLimited.given.skipReason?.(infoForTest({ models: large }))).toBeUndefined();
});

test('leave LIM-1 to another check where a large context is known, which is filled at once', async () => {
  const models = [{ id: 'a', contextTokens: 100_000 }] as const;
  const { sender, sent } = serviceWith({ context: 100_000 });
  await growingInputLimited.given.send('ladder', sender, infoForTest({ models }));
  expect(sent.map(([bytes]) => Math.round(bytes / KIB))).toEqual([0, 1172]);
  expect(await kinds({ context: 100_000 }, infoForTest({ models }))).toEqual(['holds', 'not-exercised']);
});
