import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { CallerScenarioName, TaskItem } from '../../caller/scenarios.ts';
import { broken, type CallerBehaviour, doubtful, oneByOne, type ProofCaller } from './proof-caller.ts';
import { chatFor, concurrently, type ProofClient } from './proof-client.ts';

/** An item whose answer was lost, and the key of its request. */
interface Lost {
  readonly item: TaskItem;
  readonly key: string;
  readonly model: string;
}

type React = (client: ProofClient, lost: Lost) => Promise<unknown>;

/** Requests the items one by one, and reacts to a lost answer in its own way. */
function reacting(react: React): CallerBehaviour {
  return async (client, items) => {
    const [model] = await client.models();
    for (const item of items) {
      const key = randomUUID();
      const { kind } = await client.chat(chatFor(item, model), { key });
      if (kind === 'lost') await react(client, { item, key, model });
    }
  };
}

const again: React = (client, { item, model }) => client.chat(chatFor(item, model));
const underItsKey: React = (client, { item, key, model }) => client.chat(chatFor(item, model), { key });
const recorded =
  (outcome: 'served' | 'refused' | 'uncertain', hasKey = true): React =>
  async (client, { item, key }) =>
    client.record(item, outcome, hasKey ? key : undefined);
const looksUpAndSends: React = async (client, lost) => {
  await client.lookUp(lost.key);
  await again(client, lost);
};

/** As a transport does that has used the body up. */
const withAUsedUpBody: React = async ({ inputs }, { key }) => {
  const headers = { authorization: `Bearer ${inputs.apiKey}`, 'idempotency-key': key };
  await fetch(`${inputs.baseUrl}/chat/completions`, { method: 'POST', headers });
};

const atAnotherProvider: React = (client, { item, model }) => {
  const { otherBaseUrl: baseUrl, otherApiKey: apiKey } = client.inputs;
  return client.chat(chatFor(item, model), { baseUrl, apiKey });
};

const LOST: readonly ClauseId[] = ['CALL-2'];
const RETRIED: readonly ClauseId[] = ['CALL-2', 'CALL-6'];

/** The wrong things to do about a lost answer: where it is lost, what that breaks, and what the caller does. */
const REACTIONS: Readonly<Record<string, readonly [CallerScenarioName, readonly ClauseId[], React]>> = {
  'retry-on-502': ['charged-and-lost', RETRIED, underItsKey],
  'retry-on-504-with-a-fresh-key': ['lost-before-reservation', RETRIED, again],
  'retry-on-connection-reset': ['connection-lost', RETRIED, again],
  'retry-on-cut-stream': ['stream-cut', RETRIED, again],
  'retry-after-a-timeout': ['no-answer', RETRIED, again],
  'sent-again-with-a-used-up-body': ['lost-before-reservation', RETRIED, withAUsedUpBody],
  'sent-again-shorter': [
    'html-answer',
    LOST,
    (client, { item, model }) => client.chat({ ...chatFor(item, model), max_tokens: 4 }),
  ],
  'retry-at-another-provider': ['charged-and-lost', LOST, atAnotherProvider],
  'sent-again-while-under-review': ['html-answer', LOST, looksUpAndSends],
  'cut-stream-taken-for-success': ['stream-cut', LOST, recorded('served')],
  'lost-answer-taken-for-a-free-failure': ['charged-and-lost', LOST, recorded('refused')],
  'details-thrown-away': ['html-answer', ['IDEM-2', 'CALL-8'], recorded('uncertain', false)],
};

/** Leaves after a second, whatever it was told: far from what the judge allows, however late a busy machine is. */
const leavingAfterASecond = oneByOne((client, item, model) =>
  client.chat(chatFor(item, model), { timeoutMs: 1000 }),
);

/** Sends the work again before its answer came: long after it arrived, and long before the timeout. */
const impatient = oneByOne(async (client, item, model) => {
  const first = client.chat(chatFor(item, model));
  const answer = await Promise.race([first, setTimeout(1500)]);
  if (answer === undefined) await Promise.all([first, client.chat(chatFor(item, model))]);
});

const lostTextWithTheNext: CallerBehaviour = async (client, items) => {
  const [model] = await client.models();
  let left = '';
  for (const item of items) {
    const { kind } = await client.chat(chatFor({ ...item, text: left + item.text }, model));
    left = kind === 'lost' ? `${item.text}\n` : '';
  }
};

/** An application that does not do the task: it asks questions of its own under a mark, and each once more if no answer came. */
const asksAgainUnderItsMark: CallerBehaviour = async (client) => {
  const [model] = await client.models();
  for (const [index, text] of ['Name a tree.', 'Name a bird.', 'Name a stone.'].entries()) {
    const marked = { headers: { 'x-wish': `job-${index}` } };
    if ((await client.ask(text, model, marked)).kind === 'lost')
      await client.ask(`${text} Please.`, model, marked);
  }
};

const DOCUMENTS = Array.from({ length: 12 }, (_, index) => `Sum up document ${index + 1}.`);

/** A queue over texts of its own: whatever failed goes through the same worker again, under a fresh key, and as `reworded`. */
function resendingQueue(texts = DOCUMENTS, reworded: (text: string) => string = String): CallerBehaviour {
  return async (client) => {
    const [model] = await client.models();
    await concurrently(texts, 4, async (text) => {
      const { kind } = await client.ask(text, model);
      if (kind !== 'served') await client.ask(reworded(text), model);
    });
  };
}

/** Callers that do the wrong thing about a lost answer, or do not wait for one. */
export const BROKEN_AFTER_LOSSES: readonly ProofCaller[] = [
  ...Object.entries(REACTIONS).map(([name, [scenario, clauses, react]]) =>
    broken(name, scenario, clauses, reacting(react)),
  ),
  broken('timeout-too-short', 'late-answer', ['CALL-6'], leavingAfterASecond),
  broken('impatient-with-a-fresh-key', 'late-answer', RETRIED, impatient),
  broken('application-asks-again-under-its-mark', 'html-answer', LOST, asksAgainUnderItsMark),
  broken('queue-sends-again-what-was-lost', ['plain-use', 'connection-lost'], RETRIED, resendingQueue()),
];

/** Callers that may pay twice, as the number of their completions or a text within another shows. */
export const DOUBTFUL_CALLERS: readonly ProofCaller[] = [
  doubtful('lost-text-sent-with-the-next-item', 'charged-and-lost', RETRIED, lostTextWithTheNext),
  doubtful(
    'queue-counts-its-attempts',
    ['plain-use', 'charged-and-lost'],
    RETRIED,
    resendingQueue(DOCUMENTS, (content) => `${content} [attempt 2]`),
  ),
  doubtful(
    'queue-asks-in-other-words',
    ['plain-use', 'html-answer'],
    RETRIED,
    resendingQueue(DOCUMENTS, () => 'Once more, please.'),
  ),
  doubtful(
    'queue-of-equal-texts-sends-one-more',
    ['plain-use', 'connection-lost'],
    RETRIED,
    resendingQueue(DOCUMENTS.map(() => 'Name a number.')),
  ),
];
