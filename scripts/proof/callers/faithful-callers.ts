import { randomUUID } from 'node:crypto';
import pMap from 'p-map';
import type { TaskItem } from '../../caller/scenarios.ts';
import {
  doing,
  EVERY,
  LOSSES,
  oneByOne,
  program,
  type ProofCallers,
  USE_AND_LOSSES,
} from './proof-caller.ts';
import { chatFor, ProofClient } from './proof-client.ts';

const WITHOUT_WAITING = EVERY.filter((name) => name !== 'no-answer' && name !== 'late-answer');

const untilTheFirstFailure = doing(async (client, items) => {
  for (const item of items) {
    const result = await client.complete(item);
    if (result !== undefined && result.kind !== 'served') return;
  }
});

/** Requests every answer as a stream, until the first refusal. */
const streamsEverything = doing(async (client, items) => {
  for (const item of items)
    if ((await client.complete({ ...item, stream: true }))?.kind === 'refused') return;
});

const isNotDone = (state: string | undefined): boolean => state === undefined || state === 'failed';

/** Looks up each lost request, and sends it again only if it failed or never arrived. */
const looksUpLosses = oneByOne(async (client, item) => {
  const key = randomUUID();
  const { kind } = await client.chat(chatFor(item), { key });
  if (kind === 'lost' && isNotDone(await client.lookUp(key))) await client.chat(chatFor(item));
});

/** All at once; cancels the others when one is lost, and sends again only what the workspace shows as not done. */
const cancelsTheOthersAndLooks = doing(async (client, items) => {
  const cancel = new AbortController();
  const attempts = items.map(async (item) => {
    const key = randomUUID();
    const { kind } = await client.chat(chatFor(item), { key, signal: cancel.signal });
    if (kind === 'served') return [];
    cancel.abort();
    return [{ item, key }];
  });
  for (const { item, key } of (await Promise.all(attempts)).flat())
    if (isNotDone(await client.lookUp(key))) await client.chat(chatFor(item));
});

/** Halves a text that is too long until it fits. */
const shortensUntilItFits = oneByOne(async (client, item) => {
  for (let { length } = item.text; length > 20; length = Math.ceil(length / 2))
    if ((await client.complete({ ...item, text: item.text.slice(0, length) }))?.kind === 'served') return;
});

/** Lowers its width after a rate limit error, and raises it again with each completion. A refused item comes last. */
const halvesAndGrowsAgain = doing(async (client, items, atOnce) => {
  const queue = [...items];
  const running = new Set<Promise<void>>();
  let width = atOnce;
  const treat = async (item: TaskItem): Promise<void> => {
    const result = await client.complete(item);
    if (result?.kind === 'served') width = Math.min(atOnce, width + 0.2);
    if (result?.kind !== 'refused') return;
    width = Math.max(1, width / 2);
    queue.push(item);
  };
  while (queue.length > 0 || running.size > 0) {
    for (const item of queue.splice(0, Math.max(0, Math.floor(width) - running.size))) {
      const treated: Promise<void> = treat(item).finally(() => running.delete(treated));
      running.add(treated);
    }
    await Promise.race(running);
  }
});

/** Requests that look unlike others, and are as faithful. */
const withHeadersAndAQuery = oneByOne((client, item) => {
  const { apiKey } = client.inputs;
  const headers = {
    origin: 'https://shop.example',
    via: '1.1 front',
    'x-api-key': apiKey,
    'x-wish': item.id,
  };
  return client.chat(chatFor(item), { headers, query: '?trace=1' });
});

/** Other messages around each question: a clock in the instructions, and an example. */
const withAClockAndAnExample = oneByOne((client, { text, maxTokens }) => {
  const messages = [
    { role: 'system', content: `It is ${performance.now()}.` },
    { role: 'user', content: 'Name a sea.' },
    { role: 'assistant', content: 'The Baltic.' },
    { role: 'user', name: 'ada', content: text },
  ];
  return client.chat({ messages, max_tokens: maxTokens });
});

/** Its user cancels the first item, wherever nothing came yet. */
const isCancelled = doing(async (client, items) => {
  const ms = client.inputs.timeoutMs > 2000 ? 1500 : 300;
  for (const [index, item] of items.entries())
    await client.chat(chatFor(item), index === 0 ? { signal: AbortSignal.timeout(ms) } : {});
});

const QUESTIONS = ['Name a tree.', 'Name a bird.', 'Name a stone.', 'Name a fish.'];

/** Equal requests of its own: an equal text is not a repetition. */
const equalTexts = doing(async (client) => {
  for (let n = 0; n < 4; n += 1) await client.ask('Name a number.');
});

/** A pool over documents of its own; a person asks again, in other words, for those that the workspace shows as settled. */
const asksAgainAfterALook = doing(async (client) => {
  const documents = Array.from({ length: 9 }, (_, index) => `Sum up document ${index + 1}`);
  const ask = async (text: string): Promise<void> => {
    const key = randomUUID();
    if ((await client.ask(text, { key })).kind !== 'lost') return;
    if ((await client.lookUp(key)) !== 'under_review') await client.ask(`${text}, please.`);
  };
  await pMap(documents, ask, { concurrency: 4 });
});

/** A conversation of its own, which goes on where an answer is missing. */
const ownConversation = doing(async (client) => {
  const messages: object[] = [];
  for (const content of QUESTIONS) {
    messages.push({ role: 'user', content });
    const result = await client.chat({ messages, max_tokens: 8 });
    messages.push({ role: 'assistant', content: result.kind === 'served' ? result.text : 'None.' });
  }
});

/** Faithful callers, each in another style: first those that take longest. */
export const FAITHFUL_CALLERS: ProofCallers = {
  'openai-client-as-specified': [EVERY, program('../../caller/openai-driver.ts')],
  'gives-up-without-closing-and-looks': ['no-answer', program('programs/gives-up-and-looks-up.mjs')],
  'is-cancelled-by-its-user': [['no-answer', 'late-answer'], isCancelled],
  'gives-up-at-the-first-failure': [EVERY, untilTheFirstFailure],
  // Lists the models before each item.
  'drops-what-failed': [
    [...USE_AND_LOSSES, 'unavailable', 'model-vanishes'],
    oneByOne(({ inputs }, item) => new ProofClient(inputs).complete(item)),
  ],
  'streams-everything': [WITHOUT_WAITING, streamsEverything],
  'looks-before-it-sends-again': [[...LOSSES, 'no-answer', 'late-answer'], looksUpLosses],
  'cancels-the-others-and-looks': [USE_AND_LOSSES, cancelsTheOthersAndLooks],
  'shortens-until-it-fits': ['token-limit', shortensUntilItFits],
  // However many the task asks for.
  'all-at-once': [WITHOUT_WAITING, doing((client, items) => pMap(items, (item) => client.complete(item)))],
  'halves-and-grows-again': [['plain-use', 'rate-limited'], halvesAndGrowsAgain],
  'passes-on-headers-and-a-query': [['plain-use', 'charged-and-lost', 'unavailable'], withHeadersAndAQuery],
  'a-clock-and-an-example-before-the-question': [
    ['plain-use', 'charged-and-lost', 'connection-lost', 'token-limit'],
    withAClockAndAnExample,
  ],
  'equal-texts': [[...USE_AND_LOSSES, 'unavailable'], equalTexts],
  'asks-again-in-other-words-after-a-look': [USE_AND_LOSSES, asksAgainAfterALook],
  'conversation-of-its-own': [USE_AND_LOSSES, ownConversation],
};
