import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import OpenAI from 'tested-client';
import type { TaskItem } from '../../caller/scenarios.ts';
import type { StartCaller } from '../../caller/start-command.ts';
import { doing, oneByOne, program, type ProofCallers } from './proof-caller.ts';
import { chatFor, type Deviation, type ProofClient } from './proof-client.ts';

/** Requests the items one by one, and reacts in its own way where the answer to the request with this key was lost. */
const reacting = (react: (client: ProofClient, item: TaskItem, key: string) => unknown): StartCaller =>
  oneByOne(async (client, item) => {
    const key = randomUUID();
    const { kind } = await client.chat(chatFor(item), { key });
    if (kind === 'lost') await react(client, item, key);
  });

/** The clauses that a caller breaks which sends again what was lost. */
const PAYS_TWICE = ['CALL-2', 'CALL-6'] as const;

const again = reacting((client, item) => client.chat(chatFor(item)));

const recorded = (outcome: 'served' | 'refused'): StartCaller =>
  reacting((client, item, key) => client.record(item, outcome, key));

const DOCUMENTS = Array.from({ length: 12 }, (_, index) => `Sum up document ${index + 1}.`);

/** A queue over texts of its own: whatever failed goes through the same worker again, under a fresh key, and as `reworded`. */
function resendingQueue(texts = DOCUMENTS, reworded: (text: string) => string = String): StartCaller {
  return doing(async (client) => {
    const ask = async (text: string): Promise<void> => {
      if ((await client.ask(text)).kind !== 'served') await client.ask(reworded(text));
    };
    await pMap(texts, ask, { concurrency: 4 });
  });
}

const lostTextWithTheNext = doing(async (client, items) => {
  let left = '';
  for (const item of items) {
    const { kind } = await client.chat(chatFor({ ...item, text: left + item.text }));
    left = kind === 'lost' ? `${item.text}\n` : '';
  }
});

/** As many at once as the task asks for, whatever comes. */
const pool = doing((client, items, concurrency) =>
  pMap(items, (item) => client.chat(chatFor(item)), { concurrency }),
);

/** Sends each request twice, whatever comes. */
const twice = (deviation?: Deviation): StartCaller =>
  oneByOne(async (client, item) => {
    await client.chat(chatFor(item), deviation);
    await client.chat(chatFor(item), deviation);
  });

/** Batches: after a rate limit error, half as many for one batch. */
const narrowOnce = doing(async (client, items, atOnce) => {
  const queue = [...items];
  for (let width = atOnce; queue.length > 0;) {
    const batch = await Promise.all(queue.splice(0, width).map((item) => client.chat(chatFor(item))));
    width = batch.some(({ kind }) => kind === 'refused') ? Math.ceil(atOnce / 2) : atOnce;
  }
});

/** The tested client, not configured as the specification asks: a pool that goes on whatever comes, with the default retries. */
const openaiPool = (hasKeys: boolean): StartCaller =>
  doing(async ({ inputs }, items, concurrency) => {
    const { baseUrl: baseURL, apiKey, timeoutMs: timeout } = inputs;
    const openai = new OpenAI({ baseURL, apiKey, timeout });
    const model = (await openai.models.list()).data[0]?.id ?? '';
    const ask = async ({ text, maxTokens }: TaskItem): Promise<void> => {
      const messages = [{ role: 'user' as const, content: text }];
      const headers = hasKeys ? { 'Idempotency-Key': randomUUID() } : {};
      const chat = { model, messages, max_tokens: maxTokens };
      await openai.chat.completions.create(chat, { headers }).catch(() => undefined);
    };
    await pMap(items, ask, { concurrency });
  });

/** Callers that do the wrong thing about a lost answer or a refusal, or do not wait for an answer. */
export const BROKEN_REACTIONS: ProofCallers = {
  // First those that take longest.
  'leaves-late-and-ends': ['late-answer', program('programs/leaves-and-ends.mjs'), 'CALL-6'],
  'html-crashes-it': ['html-answer', program('programs/crashes-on-html.mjs'), 'CALL-8'],
  'concurrency-unchanged': ['rate-limited', pool, 'CALL-1'],
  'small-queue-keeps-its-width': ['rate-limited', resendingQueue(DOCUMENTS.slice(0, 9)), 'CALL-1'],
  'concurrency-reduced-for-one-batch': ['rate-limited', narrowOnce, 'CALL-1'],
  'quiet-end-at-a-page': [
    ['html-answer', 'connection-lost'],
    program('programs/ends-at-a-page.mjs'),
    'CALL-8',
  ],
  'retry-while-unavailable': ['unavailable', twice({ key: randomUUID() }), 'CALL-6'],
  'same-again-after-token-limit': ['token-limit', twice(), 'CALL-3'],
  'refused-model-used-on': [
    'model-vanishes',
    oneByOne((client, item) => client.chat(chatFor(item))),
    'CALL-5',
  ],
  'retry-on-502': [
    'charged-and-lost',
    reacting((client, item, key) => client.chat(chatFor(item), { key })),
    ...PAYS_TWICE,
  ],
  'retry-on-connection-reset': ['connection-lost', again, ...PAYS_TWICE],
  'retry-on-cut-stream': ['stream-cut', again, ...PAYS_TWICE],
  'retry-after-a-timeout': ['no-answer', again, ...PAYS_TWICE],
  'cut-stream-taken-for-success': ['stream-cut', recorded('served'), 'CALL-2'],
  'lost-answer-taken-for-a-free-failure': ['charged-and-lost', recorded('refused'), 'CALL-2'],
  'details-thrown-away': [
    'html-answer',
    reacting((client, item) => client.record(item, 'uncertain')),
    'IDEM-2',
    'CALL-8',
  ],
  'timeout-too-short': [
    'late-answer',
    // Far from what the judge allows, however late a busy machine is.
    oneByOne((client, item) => client.chat(chatFor(item), { timeoutMs: 1000 })),
    'CALL-6',
  ],
  'queue-sends-again-what-was-lost': [['plain-use', 'connection-lost'], resendingQueue(), ...PAYS_TWICE],
  'openai-with-its-defaults': [['plain-use', 'charged-and-lost'], openaiPool(false), 'IDEM-1', ...PAYS_TWICE],
  'openai-sleeps-in-its-slot': ['rate-limited', openaiPool(true), 'CALL-1', 'CALL-6'],
};

/** Callers that may pay twice, as the number of their completions or a text within another shows: nothing shows it for sure. */
export const DOUBTFUL_CALLERS: ProofCallers = {
  'lost-text-sent-with-the-next-item': ['charged-and-lost', lostTextWithTheNext, ...PAYS_TWICE],
  'queue-counts-its-attempts': [
    ['plain-use', 'charged-and-lost'],
    resendingQueue(DOCUMENTS, (content) => `${content} [attempt 2]`),
    ...PAYS_TWICE,
  ],
  'queue-asks-in-other-words': [
    ['plain-use', 'html-answer'],
    resendingQueue(DOCUMENTS, () => 'Once more, please.'),
    ...PAYS_TWICE,
  ],
  'queue-of-equal-texts-sends-one-more': [
    ['plain-use', 'connection-lost'],
    resendingQueue(DOCUMENTS.map(() => 'Name a number.')),
    ...PAYS_TWICE,
  ],
};
