import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { TaskItem } from '../../caller/scenarios/scenario.ts';
import type { CallerScenarioName } from '../../caller/scenarios/caller-scenarios.ts';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { broken, type ProofCaller } from './proof-caller.ts';
import { chatFor, type Departure, ProofClient } from './proof-client.ts';

/** What a caller does about a wish whose answer was lost. */
type Reaction = (
  client: ProofClient,
  lost: { wish: TaskItem; key: string; models: readonly string[] },
) => Promise<unknown>;

/** A caller that asks for its wishes one by one, and reacts to a lost answer in its own way. */
function reacting(
  name: string,
  scenario: CallerScenarioName,
  clauses: readonly ClauseId[],
  react: Reaction,
  departure: Departure = {},
): ProofCaller {
  return broken(name, scenario, clauses, async (place) => {
    const client = new ProofClient(place);
    const models = await client.models();
    for (const wish of place.task.wishes) {
      const key = randomUUID();
      const reply = await client.chat(chatFor(wish, models[0]), { ...departure, key });
      if (reply.kind === 'lost') await react(client, { wish, key, models });
    }
  });
}

/** Asks for the wish again, with a fresh key unless it departs from that. */
function again(departure: Departure = {}): Reaction {
  return (client, { wish, models }) => client.chat(chatFor(wish, models[0] ?? ''), departure);
}

const withTheSameKey: Reaction = (client, { wish, key, models }) =>
  client.chat(chatFor(wish, models[0] ?? ''), { key });

/** Callers that do the wrong thing about an answer that was lost. */
export const BROKEN_AFTER_LOSSES: readonly ProofCaller[] = [
  reacting('retry-on-502', 'charged-and-lost', ['CALL-2', 'CALL-6'], withTheSameKey),
  reacting('retry-on-502-with-a-fresh-key', 'charged-and-lost', ['CALL-2'], again()),
  reacting('retry-on-504', 'lost-before-reservation', ['CALL-2', 'CALL-6'], withTheSameKey),
  reacting('retry-on-connection-reset', 'connection-lost', ['CALL-2', 'CALL-6'], withTheSameKey),
  reacting('retry-on-cut-stream', 'stream-cut', ['CALL-2'], again()),
  reacting('retry-after-a-timeout', 'no-answer', ['CALL-2'], again()),
  reacting('retry-at-another-provider', 'charged-and-lost', ['CALL-2'], (client, { wish, models }) => {
    const { otherBaseUrl: baseUrl, otherApiKey: apiKey } = client.place;
    return client.chat(chatFor(wish, models[0] ?? ''), { baseUrl, apiKey });
  }),
  reacting('retry-with-another-model', 'lost-before-reservation', ['CALL-2'], (client, { wish, models }) =>
    client.chat(chatFor(wish, models[1] ?? '')),
  ),
  reacting('sent-again-while-under-review', 'html-answer', ['CALL-2'], async (client, lost) => {
    await client.look(lost.key);
    await again()(client, lost);
  }),
  reacting('another-request-looked-up', 'charged-and-lost', ['CALL-2'], async (client, lost) => {
    await client.look(randomUUID());
    await again()(client, lost);
  }),
  reacting('looked-up-too-late', 'charged-and-lost', ['CALL-2'], async (client, lost) => {
    await again()(client, lost);
    await client.look(lost.key);
  }),
  reacting('timeout-too-short', 'no-answer', ['CALL-6'], async () => {}, { timeoutMs: 150 }),
  reacting('timeout-of-its-own', 'no-answer', ['CALL-6'], async () => {}, { timeoutMs: 5000 }),
  broken('impatient-with-a-fresh-key', 'no-answer', ['CALL-2', 'CALL-6'], async (place) => {
    const client = new ProofClient(place);
    const [model] = await client.models();
    const attempts = place.task.wishes.map(async (wish) => {
      const first = client.chat(chatFor(wish, model), { timeoutMs: 10_000 });
      await Promise.race([first, setTimeout(300)]);
      return Promise.all([first, client.chat(chatFor(wish, model))]);
    });
    await Promise.all(attempts);
  }),
  reacting('cut-stream-taken-for-success', 'stream-cut', ['CALL-2'], async (client, { wish, key }) =>
    client.record(wish, 'served', key),
  ),
  reacting(
    'lost-answer-taken-for-a-free-failure',
    'charged-and-lost',
    ['CALL-2'],
    async (client, { wish, key }) => client.record(wish, 'refused', key),
  ),
  reacting('details-thrown-away', 'html-answer', ['IDEM-2', 'CALL-8'], async (client, { wish }) =>
    client.record(wish, 'uncertain'),
  ),
];
