import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { CallerScenarioName, TaskItem } from '../../caller/scenarios.ts';
import { broken, oneByOne, type ProofCaller } from './proof-caller.ts';
import { chatFor, type Deviation, type ProofClient } from './proof-client.ts';

/** An item whose answer was lost, and the key of its request. */
interface Lost {
  readonly item: TaskItem;
  readonly key: string;
  readonly model: string;
  readonly otherModel: string;
}

type React = (client: ProofClient, lost: Lost) => Promise<unknown>;

/** Requests the items one by one, and reacts to a lost answer in its own way. */
function reacting(
  name: string,
  scenario: CallerScenarioName,
  clauses: readonly ClauseId[],
  react: React,
  deviation: Deviation = {},
): ProofCaller {
  return broken(name, scenario, clauses, async (client, items) => {
    const [model, otherModel = ''] = await client.models();
    for (const item of items) {
      const key = randomUUID();
      const { kind } = await client.chat(chatFor(item, model), { ...deviation, key });
      if (kind === 'lost') await react(client, { item, key, model, otherModel });
    }
  });
}

/** A message of the system that is never the same, before those of a chat. */
export function withClock(chat: Record<string, unknown>): object {
  const system = { role: 'system', content: `It is ${performance.now()}.` };
  return { ...chat, messages: [system, ...(Array.isArray(chat['messages']) ? chat['messages'] : [])] };
}

const again: React = (client, { item, model }) => client.chat(chatFor(item, model));
const underItsKey: React = (client, { item, key, model }) => client.chat(chatFor(item, model), { key });
const recorded =
  (outcome: 'served' | 'refused' | 'uncertain', hasKey = true): React =>
  async (client, { item, key }) =>
    client.record(item, outcome, hasKey ? key : undefined);

const LOST: readonly ClauseId[] = ['CALL-2'];
const RETRIED: readonly ClauseId[] = ['CALL-2', 'CALL-6'];

/** The wrong things to do about a lost answer, wherever it is lost. */
const REACTIONS: Readonly<Record<string, readonly [readonly ClauseId[], React]>> = {
  'sent-again-later': [RETRIED, async (client, lost) => again(client, await setTimeout(400, lost))],
  'sent-again-under-its-key': [RETRIED, underItsKey],
  'sent-again-with-another-clock': [
    RETRIED,
    (client, { item, model }) => client.chat(withClock(chatFor(item, model))),
  ],
  'sent-again-shorter': [
    LOST,
    (client, { item, model }) => client.chat({ ...chatFor(item, model), max_tokens: 4 }),
  ],
  'sent-again-with-a-used-up-body': [
    RETRIED,
    async ({ inputs }, { key }) => {
      const headers = { authorization: `Bearer ${inputs.apiKey}`, 'idempotency-key': key };
      await fetch(`${inputs.baseUrl}/chat/completions`, { method: 'POST', headers });
    },
  ],
  'taken-for-a-free-failure': [LOST, recorded('refused')],
  'taken-for-a-success': [LOST, recorded('served')],
};

const LOSSES = ['lost-before-reservation', 'html-answer', 'connection-lost', 'stream-cut'] as const;

const looksUp =
  (keyOf: (lost: Lost) => string): React =>
  async (client, lost) => {
    await client.lookUp(keyOf(lost));
    await again(client, lost);
  };

/** Callers that react to one kind of loss. */
const AFTER_ONE: readonly ProofCaller[] = [
  reacting('retry-on-502', 'charged-and-lost', RETRIED, underItsKey),
  reacting('retry-on-502-with-a-fresh-key', 'charged-and-lost', RETRIED, again),
  reacting('retry-on-504', 'lost-before-reservation', RETRIED, underItsKey),
  reacting('retry-on-connection-reset', 'connection-lost', RETRIED, underItsKey),
  reacting('retry-on-cut-stream', 'stream-cut', RETRIED, again),
  reacting('retry-after-a-timeout', 'no-answer', RETRIED, again),
  reacting('retry-at-another-provider', 'charged-and-lost', LOST, (client, { item, model }) => {
    const { otherBaseUrl: baseUrl, otherApiKey: apiKey } = client.inputs;
    return client.chat(chatFor(item, model), { baseUrl, apiKey });
  }),
  reacting('retry-with-another-model', 'lost-before-reservation', LOST, (client, { item, otherModel }) =>
    client.chat(chatFor(item, otherModel)),
  ),
  reacting(
    'sent-again-while-under-review',
    'html-answer',
    LOST,
    looksUp(({ key }) => key),
  ),
  reacting(
    'another-request-looked-up',
    'charged-and-lost',
    RETRIED,
    looksUp(() => randomUUID()),
  ),
  reacting('looked-up-too-late', 'charged-and-lost', RETRIED, async (client, lost) => {
    await again(client, lost);
    await client.lookUp(lost.key);
  }),
  reacting('timeout-too-short', 'no-answer', ['CALL-6'], async () => {}, { timeoutMs: 150 }),
  reacting('timeout-of-its-own', 'no-answer', ['CALL-6'], async () => {}, { timeoutMs: 5000 }),
  reacting('cut-stream-taken-for-success', 'stream-cut', LOST, recorded('served')),
  reacting('lost-answer-taken-for-a-free-failure', 'charged-and-lost', LOST, recorded('refused')),
  reacting('details-thrown-away', 'html-answer', ['IDEM-2', 'CALL-8'], recorded('uncertain', false)),
  broken('impatient-with-a-fresh-key', 'no-answer', RETRIED, async (client, items) => {
    const [model] = await client.models();
    const attempts = items.map(async (item) => {
      const first = client.chat(chatFor(item, model), { timeoutMs: 10_000 });
      await Promise.race([first, setTimeout(300)]);
      return Promise.all([first, client.chat(chatFor(item, model))]);
    });
    await Promise.all(attempts);
  }),
  broken('lost-text-sent-with-the-next-item', 'charged-and-lost', LOST, async (client, items) => {
    const [model] = await client.models();
    let left = '';
    for (const item of items) {
      const { kind } = await client.chat(chatFor({ ...item, text: left + item.text }, model));
      left = kind === 'lost' ? `${item.text}\n` : '';
    }
  }),
];

/** Applications that do not do the task: questions of their own, asked again in other words or after another clock. */
function asking(
  name: string,
  clauses: readonly ClauseId[],
  ask: (content: string, index: number, isAgain: boolean) => Asked,
): ProofCaller[] {
  return (['charged-and-lost', 'html-answer'] as const).map((scenario) =>
    broken(`${name}-in-${scenario}`, scenario, clauses, async (client) => {
      const [model] = await client.models();
      for (const [index, content] of ['Name a tree.', 'Name a bird.', 'Name a stone.'].entries())
        for (const isAgain of [false, true]) {
          const { chat, ...deviation } = ask(content, index, isAgain);
          if ((await client.chat({ model, ...chat }, deviation)).kind !== 'lost') break;
        }
    }),
  );
}

interface Asked extends Deviation {
  readonly chat: object;
}

const question = (content: string): Record<string, unknown> => ({ messages: [{ role: 'user', content }] });

/** Timeouts of their own, in milliseconds. */
const TIMEOUTS: Readonly<Record<number, readonly CallerScenarioName[]>> = {
  3: ['plain-use'],
  120: ['plain-use'],
  700: ['no-answer', 'late-answer'],
  3000: ['no-answer', 'late-answer'],
  4500: ['no-answer', 'late-answer'],
  10_000: ['late-answer'],
};

/** Callers that do the wrong thing about a lost answer, or do not wait for one. */
export const BROKEN_AFTER_LOSSES: readonly ProofCaller[] = [
  ...AFTER_ONE,
  ...Object.entries(REACTIONS).flatMap(([name, [clauses, react]]) =>
    LOSSES.map((scenario) => reacting(`${name}-in-${scenario}`, scenario, clauses, react)),
  ),
  ...asking('application-asks-again-after-another-clock', RETRIED, (content) => ({
    chat: withClock(question(content)),
  })),
  ...asking('application-asks-again-under-its-mark', LOST, (content, index, isAgain) => ({
    chat: question(isAgain ? `${content} Please.` : content),
    headers: { 'x-wish': `job-${index}` },
  })),
  ...Object.entries(TIMEOUTS).map(([ms, scenarios]) => ({
    ...broken(
      `timeout-of-${ms}-ms`,
      'plain-use',
      ['CALL-6'],
      oneByOne((client, item, model) => client.chat(chatFor(item, model), { timeoutMs: Number(ms) })),
    ),
    scenarios,
  })),
];
