import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pMap from 'p-map';
import { callerScenarioNames, type CallerScenarioName, type TaskItem } from '../../caller/scenarios.ts';
import {
  type CallerBehaviour,
  dropsWhatFailed,
  faithful,
  oneByOne,
  type ProofCaller,
  untilTheFirstFailure,
} from './proof-caller.ts';
import { chatFor, concurrently, type Deviation, type ProofClient } from './proof-client.ts';
import { byAxios, byGot, byKy, bySocket, byUndici, type SendRequest } from './transports.ts';

const EVERY = callerScenarioNames();
const TEXTS = EVERY.filter((name) => !name.startsWith('image-'));
const LOSSES: readonly CallerScenarioName[] = [
  'charged-and-lost',
  'html-answer',
  'connection-lost',
  'stream-cut',
];

/** Real clients with their retries off, and other ways to send. */
const TRANSPORTS: Readonly<Record<string, SendRequest>> = {
  got: byGot(),
  ky: byKy(),
  axios: byAxios(),
  undici: byUndici,
  sockets: bySocket,
};

const BY_TRANSPORT: readonly ProofCaller[] = Object.entries(TRANSPORTS).flatMap(([name, transport]) => [
  faithful(`${name}-until-the-first-failure`, EVERY, untilTheFirstFailure, transport),
  faithful(`${name}-drops-what-failed`, [...LOSSES, 'unavailable', 'plain-use'], dropsWhatFailed, transport),
]);

/** A pool that changes its width after a rate limit error; the refused item goes back to the queue or is dropped. */
interface Pool {
  readonly lower: (width: number) => number;
  /** Where the refused item goes. */
  readonly refused: 'front' | 'back' | 'dropped';
  readonly pauseMs?: number;
  /** By how much each completion raises the width again. */
  readonly raise?: number;
}

function loweredPool({ lower, refused, pauseMs = 0, raise = 0 }: Pool): CallerBehaviour {
  return async (client, items, atOnce) => {
    const [model] = await client.models();
    const queue = [...items];
    const running = new Set<Promise<void>>();
    let [width, rest] = [atOnce, Promise.resolve()];
    const treat = async (item: TaskItem): Promise<void> => {
      const result = await client.complete(item, model);
      if (result?.kind === 'served') width = Math.min(atOnce, width + raise);
      if (result?.kind !== 'refused') return;
      width = Math.max(1, lower(width));
      if (pauseMs > 0) rest = setTimeout(pauseMs);
      if (refused === 'front') queue.unshift(item);
      if (refused === 'back') queue.push(item);
    };
    while (queue.length > 0 || running.size > 0) {
      await rest;
      while (running.size < Math.floor(width)) {
        const item = queue.shift();
        if (item === undefined) break;
        const treated: Promise<void> = treat(item).finally(() => running.delete(treated));
        running.add(treated);
      }
      await Promise.race(running);
    }
  };
}

const half = (width: number): number => width / 2;
const one = (): number => 1;
const fewer = (width: number): number => width - 1;

const POOLS: Readonly<Record<string, Pool>> = {
  'halves-and-sends-again-first': { lower: half, refused: 'front' },
  'halves-and-sends-again-last': { lower: half, refused: 'back' },
  'halves-and-drops': { lower: half, refused: 'dropped' },
  'halves-after-a-pause': { lower: half, refused: 'front', pauseMs: 1000 },
  'one-at-a-time-and-sends-again-first': { lower: one, refused: 'front' },
  'one-at-a-time-and-sends-again-last': { lower: one, refused: 'back' },
  'one-at-a-time-after-a-pause': { lower: one, refused: 'front', pauseMs: 600 },
  'one-fewer-and-sends-again-first': { lower: fewer, refused: 'front' },
  'one-fewer-and-sends-again-last': { lower: fewer, refused: 'back' },
  'one-fewer-and-drops': { lower: fewer, refused: 'dropped' },
  'halves-and-grows-slowly': { lower: half, refused: 'front', raise: 0.2 },
  'one-at-a-time-and-grows-slowly': { lower: one, refused: 'back', raise: 0.15 },
};

const BY_POOL: readonly ProofCaller[] = [
  ...Object.entries(POOLS).map(([name, pool]) =>
    faithful(name, ['rate-limited', 'plain-use'], loweredPool(pool)),
  ),
  faithful(
    'additive-increase',
    ['plain-use', 'rate-limited', 'lost-before-reservation', ...LOSSES],
    loweredPool({ lower: half, refused: 'back', raise: 0.25 }),
  ),
];

/** Requests that look unlike others, and are as faithful. */
const LOOKS: Readonly<Record<string, (client: ProofClient, item: TaskItem) => Deviation>> = {
  'passes-on-the-headers-of-a-browser': () => ({
    headers: { origin: 'https://shop.example', 'sec-fetch-site': 'same-origin', 'user-agent': 'Mozilla/5.0' },
  }),
  'passes-on-the-address-of-its-client': () => ({
    headers: { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https', via: '1.1 front' },
  }),
  'marks-its-work': (_, { id }) => ({ headers: { 'x-wish': id } }),
  'keys-with-a-name-and-a-time': (_, { id }) => ({ key: `${id}-${performance.now()}-${randomUUID()}` }),
  'key-in-another-header-too': ({ inputs }) => ({ headers: { 'x-api-key': inputs.apiKey } }),
  'trace-headers': () => ({
    headers: { traceparent: `00-${randomUUID().replaceAll('-', '')}-0000000000000001-01` },
  }),
  'a-query-of-its-own': () => ({ query: '?trace=1' }),
};

const BY_LOOK: readonly ProofCaller[] = Object.entries(LOOKS).map(([name, deviate]) =>
  faithful(
    name,
    ['plain-use', 'charged-and-lost', 'unavailable'],
    oneByOne((client, item, model) => client.chat(chatFor(item, model), deviate(client, item))),
  ),
);

/** Messages around the text of an item. */
const MESSAGES: Readonly<Record<string, (text: string, index: number) => readonly object[]>> = {
  'constant-instructions': (content) => [
    { role: 'system', content: 'You are a patient teacher of geography, and answer in one word.' },
    { role: 'user', content },
  ],
  'a-clock-in-its-instructions': (content) => [
    { role: 'system', content: `It is ${performance.now()}.` },
    { role: 'user', content },
  ],
  'examples-before-the-question': (content) => [
    { role: 'user', content: 'Name a sea.' },
    { role: 'assistant', content: 'The Baltic.' },
    { role: 'user', content },
  ],
  'a-name-in-its-messages': (content) => [{ role: 'user', name: 'ada', content }],
};

const BY_MESSAGES: readonly ProofCaller[] = Object.entries(MESSAGES).map(([name, messages]) =>
  faithful(
    name,
    ['plain-use', 'charged-and-lost', 'connection-lost', 'token-limit'],
    oneByOne((client, { text, maxTokens }, model, index) =>
      client.chat({ model, messages: messages(text, index), max_tokens: maxTokens }),
    ),
  ),
);

/** Applications with questions of their own, the model from their configuration. */
const QUESTIONS = ['Name a tree.', 'Name a bird.', 'Name a stone.', 'Name a fish.'];

/** A queue whose questions repeat: each is work of its own, and what failed is dropped. */
const repeatedQuestions: CallerBehaviour = async (client) => {
  const [model] = await client.models();
  const questions = [...QUESTIONS, ...QUESTIONS, ...QUESTIONS];
  const items = questions.map((text, index) => ({ id: String(index), text, maxTokens: 8, stream: false }));
  await concurrently(items, 4, (item) => client.chat(chatFor(item, model)));
};

const application =
  (atOnce: number, instructions: string): CallerBehaviour =>
  async (client) => {
    let isOver = false;
    await concurrently(
      QUESTIONS.map((text, index) => ({ id: String(index), text, maxTokens: 8, stream: false })),
      atOnce,
      async ({ text }) => {
        if (isOver) return;
        const messages = [
          { role: 'system', content: instructions },
          { role: 'user', content: text },
        ];
        const { kind } = await client.chat({ model: client.inputs.model, messages, max_tokens: 8 });
        isOver ||= kind !== 'served';
      },
    );
  };

const APPLICATIONS: readonly ProofCaller[] = [
  faithful(
    'application-one-question-at-a-time',
    TEXTS,
    application(1, 'Answer in one word, and nothing more.'),
  ),
  faithful('application-two-at-once', TEXTS, application(2, 'Answer in one word, and nothing more.')),
  faithful('application-all-at-once', TEXTS, application(4, 'Answer in one word, and nothing more.')),
];

/** A pool over documents of its own; a person asks again, in other words, for those that the workspace shows as settled. */
const asksAgainAfterALook: CallerBehaviour = async (client) => {
  const [model] = await client.models();
  const ask = (content: string, key: string) =>
    client.chat({ model, messages: [{ role: 'user', content }], max_tokens: 8 }, { key });
  const documents = Array.from({ length: 9 }, (_, index) => `Sum up document ${index + 1}`);
  await pMap(
    documents,
    async (text) => {
      const key = randomUUID();
      if ((await ask(text, key)).kind !== 'lost') return;
      if ((await client.lookUp(key)) !== 'under_review') await ask(`${text}, please.`, randomUUID());
    },
    { concurrency: 4 },
  );
};

/** A conversation of its own, which goes on where an answer is missing. */
const ownConversation: CallerBehaviour = async (client) => {
  const [model] = await client.models();
  const messages: object[] = [];
  for (const content of QUESTIONS) {
    messages.push({ role: 'user', content });
    const result = await client.chat({ model, messages, max_tokens: 8 });
    messages.push({ role: 'assistant', content: result.kind === 'served' ? result.text : 'None.' });
  }
};

/** All at once, however many the task asks for; what fails is dropped. */
const allAtOnce: CallerBehaviour = async (client, items) => {
  const [model] = await client.models();
  await Promise.all(items.map((item) => client.complete(item, model)));
};

/** Looks up what it lost before it goes on, and sends nothing again. */
const looksUpAndGoesOn: CallerBehaviour = oneByOne(async (client, item, model) => {
  const key = randomUUID();
  const { kind } = await client.chat(chatFor(item, model), { key });
  if (kind === 'lost') await client.lookUp(key);
});

/** Asks for less output after a token limit error, as often as needed. */
const asksForLess: CallerBehaviour = oneByOne(async (client, item, model) => {
  for (let maxTokens = item.maxTokens; maxTokens >= 8; maxTokens /= 2)
    if ((await client.complete({ ...item, maxTokens }, model))?.kind !== 'refused') return;
});

/** Lists the models before each request. */
const listsEachTime: CallerBehaviour = async (client, items) => {
  for (const item of items) {
    const [model] = await client.models();
    const result = await client.complete(item, model);
    if (result?.kind === 'refused') await client.complete(item, (await client.models())[0]);
  }
};

/** Faithful callers in many styles. */
export const FAITHFUL_STYLES: readonly ProofCaller[] = [
  ...BY_TRANSPORT,
  ...BY_POOL,
  ...BY_LOOK,
  ...BY_MESSAGES,
  ...APPLICATIONS,
  faithful('repeated-questions-four-at-once', ['plain-use', ...LOSSES], repeatedQuestions),
  faithful('asks-again-in-other-words-after-a-look', ['plain-use', ...LOSSES], asksAgainAfterALook),
  faithful('conversation-of-its-own', ['plain-use', ...LOSSES], ownConversation),
  faithful('all-at-once', TEXTS, allAtOnce),
  faithful('looks-up-and-goes-on', [...LOSSES, 'no-answer', 'late-answer'], looksUpAndGoesOn),
  faithful('asks-for-less', ['token-limit'], asksForLess),
  faithful('lists-each-time', ['model-vanishes', 'plain-use'], listsEachTime),
];
