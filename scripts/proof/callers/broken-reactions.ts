import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { CALLER_SCENARIOS, type CallerScenarioName, type TaskItem } from '../../caller/scenarios.ts';
import { broken, brokenOneByOne, oneByOne, type ProofCaller } from './proof-caller.ts';
import { chatFor, type ProofClient } from './proof-client.ts';

type React = (client: ProofClient, item: TaskItem, model: string, key: string) => Promise<unknown>;

function withClock(chat: Record<string, unknown>): object {
  const system = { role: 'system', content: `It is ${performance.now()}.` };
  return { ...chat, messages: [system, ...(Array.isArray(chat['messages']) ? chat['messages'] : [])] };
}

/** The wrong things to do about a lost answer. */
const REACTIONS: Readonly<Record<string, readonly [readonly ClauseId[], React]>> = {
  'sent-again-later': [
    ['CALL-2'],
    async (client, item, model) => {
      await setTimeout(400);
      await client.chat(chatFor(item, model));
    },
  ],
  'sent-again-under-its-key': [
    ['CALL-2', 'CALL-6'],
    (client, item, model, key) => client.chat(chatFor(item, model), { key }),
  ],
  'sent-again-with-another-clock': [
    ['CALL-2'],
    (client, item, model) => client.chat(withClock(chatFor(item, model))),
  ],
  'sent-again-shorter': [
    ['CALL-2'],
    (client, item, model) => client.chat({ ...chatFor(item, model), max_tokens: 4 }),
  ],
  'sent-again-with-a-used-up-body': [
    ['CALL-2', 'CALL-6'],
    async ({ inputs }, _item, _model, key) => {
      const headers = { authorization: `Bearer ${inputs.apiKey}`, 'idempotency-key': key };
      await fetch(`${inputs.baseUrl}/chat/completions`, { method: 'POST', headers });
    },
  ],
  'taken-for-a-free-failure': [
    ['CALL-2'],
    async (client, item, _model, key) => client.record(item, 'refused', key),
  ],
  'taken-for-a-success': [
    ['CALL-2'],
    async (client, item, _model, key) => client.record(item, 'served', key),
  ],
};

const LOSSES = ['lost-before-reservation', 'html-answer', 'connection-lost', 'stream-cut'] as const;

const BROKEN_REACTIONS: readonly ProofCaller[] = Object.entries(REACTIONS).flatMap(
  ([name, [clauses, react]]) =>
    LOSSES.map((scenario) =>
      brokenOneByOne(`${name}-in-${scenario}`, scenario, clauses, async (client, item, model) => {
        const key = randomUUID();
        const { kind } = await client.chat(chatFor(item, model), { key });
        if (kind === 'lost') await react(client, item, model, key);
      }),
    ),
);

/** Applications that do not do the task: a question of their own under constant instructions. */
const QUESTIONS = ['Name a tree.', 'Name a bird.', 'Name a stone.'];

const BROKEN_APPLICATIONS: readonly ProofCaller[] = (['charged-and-lost', 'html-answer'] as const).flatMap(
  (scenario) => [
    broken(
      `application-asks-again-after-another-clock-in-${scenario}`,
      scenario,
      ['CALL-2'],
      async (client) => {
        const [model] = await client.models();
        for (const content of QUESTIONS) {
          const chat = { model, messages: [{ role: 'user', content }] };
          if ((await client.chat(withClock(chat))).kind === 'lost') await client.chat(withClock(chat));
        }
      },
    ),
    broken(`application-asks-again-under-its-mark-in-${scenario}`, scenario, ['CALL-2'], async (client) => {
      const [model] = await client.models();
      for (const [index, content] of QUESTIONS.entries()) {
        const marked = { headers: { 'x-wish': `job-${index}` } };
        const ask = (words: string): ReturnType<ProofClient['chat']> =>
          client.chat({ model, messages: [{ role: 'user', content: words }] }, marked);
        if ((await ask(content)).kind === 'lost') await ask(`${content} Please.`);
      }
    }),
  ],
);

/** Timeouts of their own, in milliseconds. */
const TIMEOUTS: Readonly<Record<number, readonly CallerScenarioName[]>> = {
  3: ['plain-use'],
  120: ['plain-use'],
  700: ['no-answer', 'late-answer'],
  3000: ['no-answer', 'late-answer'],
  4500: ['no-answer', 'late-answer'],
  10_000: ['late-answer'],
};

const BROKEN_TIMEOUTS: readonly ProofCaller[] = Object.entries(TIMEOUTS).map(([ms, scenarios]) => ({
  ...broken(
    `timeout-of-${ms}-ms`,
    'plain-use',
    ['CALL-6'],
    oneByOne((client, item, model) => client.chat(chatFor(item, model), { timeoutMs: Number(ms) })),
  ),
  scenarios,
}));

const LONG = CALLER_SCENARIOS['token-limit'].items[0]?.text ?? '';

/** What a caller sends after a token limit error. */
const LARGER: Readonly<Record<string, (item: TaskItem, model: string) => object>> = {
  'no-limit-after-a-token-limit-error': ({ text }, model) => ({
    model,
    messages: [{ role: 'user', content: text }],
  }),
  'twice-the-text-after-a-token-limit-error': (item, model) =>
    chatFor({ ...item, text: item.text + LONG }, model),
  'instructions-added-after-a-token-limit-error': (item, model) => withClock(chatFor(item, model)),
  'streamed-after-a-token-limit-error': (item, model) => chatFor({ ...item, stream: true }, model),
};

const BROKEN_SIZES: readonly ProofCaller[] = Object.entries(LARGER).map(([name, next]) =>
  brokenOneByOne(name, 'token-limit', ['CALL-3'], async (client, item, model) => {
    const { kind } = await client.chat(chatFor(item, model));
    if (kind === 'refused') await client.chat(next(item, model));
  }),
);

/** Callers that do the wrong thing about a failure, in every way and in every place. */
export const BROKEN_IN_TROUBLE: readonly ProofCaller[] = [
  ...BROKEN_REACTIONS,
  ...BROKEN_APPLICATIONS,
  ...BROKEN_TIMEOUTS,
  ...BROKEN_SIZES,
];
