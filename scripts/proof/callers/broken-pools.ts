import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pMap from 'p-map';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import { type CallerScenarioName, isCallerScenarioName, type TaskItem } from '../../caller/scenarios.ts';
import { broken, type CallerBehaviour, oneByOne, type ProofCaller } from './proof-caller.ts';
import { chatFor, concurrently } from './proof-client.ts';
import {
  byAxios,
  byGot,
  byKy,
  byRetryAgent,
  byRetryInterceptor,
  GOT_RETRIES_POST,
  KY_RETRIES_POST,
  type SendRequest,
} from './transports.ts';

/** How a pool meets a rate limit error: it waits in the slot, and sends the item again. */
interface Waiting {
  readonly pauseMs: number;
  readonly hasOneKey: boolean;
  /** How many slots; absent: as the task asks. */
  readonly width?: number;
}

/** A pool whose slots wait and send again: as many are in flight again as soon as the wait ends. */
function waitingPool({ pauseMs, hasOneKey, width }: Waiting): CallerBehaviour {
  return async (client, items, atOnce) => {
    const [model] = await client.models();
    await concurrently(items, width ?? atOnce, async (item: TaskItem) => {
      const key = randomUUID();
      for (let attempt = 0; attempt < 60; attempt += 1) {
        const own = hasOneKey ? { key } : {};
        if ((await client.chat(chatFor(item, model), own)).kind !== 'refused') return;
        await setTimeout(pauseMs);
      }
    });
  };
}

const BOTH: readonly ClauseId[] = ['CALL-1', 'CALL-6'];

const POOLS: Readonly<Record<string, Waiting>> = {
  'slot-sends-again-at-once': { pauseMs: 0, hasOneKey: false },
  'slot-sends-again-at-once-with-its-key': { pauseMs: 0, hasOneKey: true },
  'slot-waits-20-ms': { pauseMs: 20, hasOneKey: false },
  'slot-waits-300-ms': { pauseMs: 300, hasOneKey: false },
  'slot-waits-300-ms-with-its-key': { pauseMs: 300, hasOneKey: true },
  'slot-waits-as-told': { pauseMs: 1000, hasOneKey: false },
  'slot-waits-as-told-with-its-key': { pauseMs: 1000, hasOneKey: true },
  'two-slots-wait-as-told': { pauseMs: 1000, hasOneKey: false, width: 2 },
  'eight-slots-wait-500-ms': { pauseMs: 500, hasOneKey: false, width: 8 },
  'storm-of-twenty': { pauseMs: 20, hasOneKey: false, width: 20 },
  'storm-of-twenty-with-their-keys': { pauseMs: 20, hasOneKey: true, width: 20 },
};

const BROKEN_WAITS: readonly ProofCaller[] = Object.entries(POOLS).map(([name, waiting]) =>
  broken(name, 'rate-limited', waiting.hasOneKey ? BOTH : ['CALL-1'], waitingPool(waiting)),
);

/** Clients whose retries are on. */
const RETRYING: Readonly<Record<string, SendRequest>> = {
  'got-told-to-retry-post': byGot(GOT_RETRIES_POST),
  'ky-told-to-retry-post': byKy(KY_RETRIES_POST),
  'axios-retry-on-everything': byAxios(2),
  'undici-retry-agent-on-post': byRetryAgent,
  'undici-retry-interceptor-under-fetch': byRetryInterceptor,
};

const simply: CallerBehaviour = oneByOne((client, item, model) => client.chat(chatFor(item, model)));

const BROKEN_CLIENTS: readonly ProofCaller[] = Object.entries(RETRYING).flatMap(([name, transport]) => [
  broken(`${name}-of-a-lost-answer`, 'charged-and-lost', ['CALL-2', 'CALL-6'], simply, transport),
  broken(`${name}-of-a-page`, 'html-answer', ['CALL-2', 'CALL-6'], simply, transport),
  broken(`${name}-of-a-lost-connection`, 'connection-lost', ['CALL-2', 'CALL-6'], simply, transport),
  broken(
    `${name}-while-limited`,
    'rate-limited',
    BOTH,
    async (client, items, atOnce) => {
      const [model] = await client.models();
      await concurrently(items, atOnce, (item) => client.chat(chatFor(item, model)));
    },
    transport,
  ),
]);

const DOCUMENTS = Array.from({ length: 12 }, (_, index) => `Sum up document ${index + 1}.`);

/** A queue over texts of its own: whatever failed goes through the same worker again, under a fresh key, and as `reworded`. */
function resendingQueue(
  pauseMs: number,
  texts = DOCUMENTS,
  reworded: (text: string) => string = String,
): CallerBehaviour {
  return async (client) => {
    const [model] = await client.models();
    const ask = async (content: string): Promise<void> => {
      const { kind } = await client.chat({ model, messages: [{ role: 'user', content }], max_tokens: 16 });
      if (kind !== 'served') throw new Error(kind);
    };
    const insist = (content: string): Promise<void> =>
      ask(content).catch(() => setTimeout(pauseMs, reworded(content)).then(ask).catch(noop));
    await pMap(texts, insist, { concurrency: 4 });
  };
}

const LOSSES = ['charged-and-lost', 'lost-before-reservation', 'html-answer', 'connection-lost'] as const;

const noop = (): void => {};

/** What a queue breaks that sends again what came to nothing, by scenario. */
const RESENT: Readonly<Partial<Record<CallerScenarioName, readonly ClauseId[]>>> = {
  'charged-and-lost': ['CALL-2', 'CALL-6'],
  'lost-before-reservation': ['CALL-2', 'CALL-6'],
  'html-answer': ['CALL-2', 'CALL-6'],
  'connection-lost': ['CALL-2', 'CALL-6'],
  'stream-cut': ['CALL-2', 'CALL-6'],
  'token-limit': ['CALL-3'],
  'model-vanishes': ['CALL-5'],
};

const BROKEN_QUEUES: readonly ProofCaller[] = Object.entries(RESENT).flatMap(([scenario, clauses]) =>
  [0, 50, 200].map((pauseMs) => ({
    ...broken(
      `queue-sends-again-after-${pauseMs}-ms-in-${scenario}`,
      'plain-use',
      clauses,
      resendingQueue(pauseMs),
    ),
    scenarios: ['plain-use', scenario].filter(isCallerScenarioName),
  })),
);

const REWORDED: Readonly<Record<string, CallerBehaviour>> = {
  'queue-counts-its-attempts': resendingQueue(0, DOCUMENTS, (content) => `${content} [attempt 2]`),
  'queue-asks-in-other-words': resendingQueue(50, DOCUMENTS, () => 'Once more, please.'),
  'queue-of-equal-texts-sends-one-more': resendingQueue(
    0,
    DOCUMENTS.map(() => 'Name a number.'),
  ),
};

/** Queues that pay twice, as the number of their completions shows, and not the texts. */
const DOUBTFUL_QUEUES: readonly ProofCaller[] = Object.entries(REWORDED).flatMap(([name, behave]) =>
  LOSSES.map((scenario) => ({
    ...broken(`${name}-in-${scenario}`, scenario, ['CALL-2', 'CALL-6'], behave),
    kind: 'doubtful-caller' as const,
    scenarios: ['plain-use', scenario],
  })),
);

/** Callers that keep as many requests in flight as before, and clients and queues that retry by themselves. */
export const BROKEN_POOLS: readonly ProofCaller[] = [
  ...BROKEN_WAITS,
  ...BROKEN_CLIENTS,
  ...BROKEN_QUEUES,
  ...DOUBTFUL_QUEUES,
];
