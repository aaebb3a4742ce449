import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { CallerScenarioName, TaskItem } from '../../caller/scenarios.ts';
import { broken, type ProofCaller } from './proof-caller.ts';
import { chatFor, type Deviation, type ProofClient } from './proof-client.ts';

/** An item whose answer was lost, and the key of its request. */
interface Lost {
  readonly item: TaskItem;
  readonly key: string;
  readonly models: readonly string[];
}

type Reaction = (client: ProofClient, lost: Lost) => Promise<unknown>;

/** A caller that requests its items one by one, and reacts to a lost answer in its own way. */
function reacting(
  name: string,
  scenario: CallerScenarioName,
  clauses: readonly ClauseId[],
  react: Reaction,
  deviation: Deviation = {},
): ProofCaller {
  return broken(name, scenario, clauses, async (client, items) => {
    const models = await client.models();
    for (const item of items) {
      const key = randomUUID();
      const { kind } = await client.chat(chatFor(item, models[0]), { ...deviation, key });
      if (kind === 'lost') await react(client, { item, key, models });
    }
  });
}

const retry: Reaction = (client, { item, models }) => client.chat(chatFor(item, models[0] ?? ''));

const retryWithTheSameKey: Reaction = (client, { item, key, models }) =>
  client.chat(chatFor(item, models[0] ?? ''), { key });

const giveUp: Reaction = async () => {};

/** Callers that do the wrong thing about a lost answer. */
export const BROKEN_AFTER_LOSSES: readonly ProofCaller[] = [
  reacting('retry-on-502', 'charged-and-lost', ['CALL-2', 'CALL-6'], retryWithTheSameKey),
  reacting('retry-on-502-with-a-fresh-key', 'charged-and-lost', ['CALL-2'], retry),
  reacting('retry-on-504', 'lost-before-reservation', ['CALL-2', 'CALL-6'], retryWithTheSameKey),
  reacting('retry-on-connection-reset', 'connection-lost', ['CALL-2', 'CALL-6'], retryWithTheSameKey),
  reacting('retry-on-cut-stream', 'stream-cut', ['CALL-2'], retry),
  reacting('retry-after-a-timeout', 'no-answer', ['CALL-2'], retry),
  reacting('retry-at-another-provider', 'charged-and-lost', ['CALL-2'], (client, { item, models }) => {
    const { otherBaseUrl: baseUrl, otherApiKey: apiKey } = client.inputs;
    return client.chat(chatFor(item, models[0] ?? ''), { baseUrl, apiKey });
  }),
  reacting('retry-with-another-model', 'lost-before-reservation', ['CALL-2'], (client, { item, models }) =>
    client.chat(chatFor(item, models[1] ?? '')),
  ),
  reacting('sent-again-while-under-review', 'html-answer', ['CALL-2'], async (client, lost) => {
    await client.lookUp(lost.key);
    await retry(client, lost);
  }),
  reacting('another-request-looked-up', 'charged-and-lost', ['CALL-2'], async (client, lost) => {
    await client.lookUp(randomUUID());
    await retry(client, lost);
  }),
  reacting('looked-up-too-late', 'charged-and-lost', ['CALL-2'], async (client, lost) => {
    await retry(client, lost);
    await client.lookUp(lost.key);
  }),
  broken('lost-text-sent-with-the-next-item', 'charged-and-lost', ['CALL-2'], async (client, items) => {
    const [model] = await client.models();
    let left = '';
    for (const item of items) {
      const { kind } = await client.chat(chatFor({ ...item, text: left + item.text }, model));
      left = kind === 'lost' ? `${item.text}\n` : '';
    }
  }),
  reacting('timeout-too-short', 'no-answer', ['CALL-6'], giveUp, { timeoutMs: 150 }),
  reacting('timeout-of-its-own', 'no-answer', ['CALL-6'], giveUp, { timeoutMs: 5000 }),
  broken('impatient-with-a-fresh-key', 'no-answer', ['CALL-2', 'CALL-6'], async (client, items) => {
    const [model] = await client.models();
    const attempts = items.map(async (item) => {
      const first = client.chat(chatFor(item, model), { timeoutMs: 10_000 });
      await Promise.race([first, setTimeout(300)]);
      return Promise.all([first, client.chat(chatFor(item, model))]);
    });
    await Promise.all(attempts);
  }),
  reacting('cut-stream-taken-for-success', 'stream-cut', ['CALL-2'], async (client, { item, key }) =>
    client.record(item, 'served', key),
  ),
  reacting(
    'lost-answer-taken-for-a-free-failure',
    'charged-and-lost',
    ['CALL-2'],
    async (client, { item, key }) => client.record(item, 'refused', key),
  ),
  reacting('details-thrown-away', 'html-answer', ['IDEM-2', 'CALL-8'], async (client, { item }) =>
    client.record(item, 'uncertain'),
  ),
];
