import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { CallerScenarioName, TaskItem } from '../../caller/scenarios.ts';
import {
  type CallerBehaviour,
  doubtful,
  EVERY,
  faithful,
  LOSSES,
  oneByOne,
  type ProofCaller,
} from './proof-caller.ts';
import { chatFor, concurrently, type Deviation, type ProofClient } from './proof-client.ts';

const USE_AND_LOSSES: readonly CallerScenarioName[] = ['plain-use', ...LOSSES];
const WITHOUT_WAITING = EVERY.filter((name) => name !== 'no-answer' && name !== 'late-answer');

/** Requests one item after the other, until the first answer that is not a completion. */
const untilTheFirstFailure: CallerBehaviour = async (client, items) => {
  const [model] = await client.models();
  for (const item of items) {
    const result = await client.complete(item, model);
    if (result !== undefined && result.kind !== 'served') return;
  }
};

/** Requests one item after the other whatever happens, and lists the models before each. */
const dropsWhatFailed: CallerBehaviour = async (client, items) => {
  for (const item of items) await client.complete(item, (await client.models())[0]);
};

/** Requests every answer as a stream, until the first refusal. */
const streamsEverything: CallerBehaviour = async (client, items) => {
  const [model] = await client.models();
  for (const item of items)
    if ((await client.complete({ ...item, stream: true }, model))?.kind === 'refused') return;
};

/** Looks up each lost request, and sends it again only if it failed or never arrived. */
const looksUpLosses = oneByOne(async (client, item, model) => {
  const key = randomUUID();
  const { kind } = await client.chat(chatFor(item, model), { key });
  if (kind !== 'lost') return;
  const state = await client.lookUp(key);
  if (state === undefined || state === 'failed') await client.chat(chatFor(item, model));
});

/** All at once; cancels the others when one is lost, and sends again only what the workspace shows as not done. */
const cancelsTheOthersAndLooks: CallerBehaviour = async (client, items) => {
  const [model] = await client.models();
  const cancel = new AbortController();
  const attempts = items.map(async (item) => {
    const key = randomUUID();
    const { kind } = await client.chat(chatFor(item, model), { key, signal: cancel.signal });
    if (kind === 'served') return [];
    cancel.abort();
    return [{ item, key }];
  });
  for (const { item, key } of (await Promise.all(attempts)).flat()) {
    const state = await client.lookUp(key);
    if (state === undefined || state === 'failed') await client.chat(chatFor(item, model));
  }
};

/** Writes all that was said into one message. */
const oneTranscript: CallerBehaviour = async (client, items) => {
  const [model] = await client.models();
  let said = '';
  for (const { text } of items) {
    said += `Question: ${text}\n`;
    const { kind } = await client.ask(said, model);
    said += kind === 'served' ? 'Answer: So it is.\n' : 'Answer: none came.\n';
  }
};

/** Halves a text that is too long until it fits. */
const shortensUntilItFits = oneByOne(async (client, item, model) => {
  for (let { length } = item.text; length > 20; length = Math.ceil(length / 2))
    if ((await client.complete({ ...item, text: item.text.slice(0, length) }, model))?.kind === 'served')
      return;
});

/** Requests all items at once, and nothing more after the first refusal. */
const stopsAtTheFirstRefusal: CallerBehaviour = async (client, items, atOnce) => {
  const [model] = await client.models();
  let isOver = false;
  await concurrently(items, atOnce, async (item) => {
    if (!isOver) isOver = (await client.complete(item, model))?.kind === 'refused';
  });
};

/** Sends one item each 120 ms, whatever comes, until it has read a refusal: no request waits for another. */
const sendsOnATimer: CallerBehaviour = async (client, items) => {
  const [model] = await client.models();
  const sent: Promise<void>[] = [];
  let isOver = false;
  for (const item of items) {
    if (isOver) break;
    const answered = async (): Promise<void> => {
      isOver ||= (await client.complete(item, model))?.kind === 'refused';
    };
    sent.push(answered());
    await setTimeout(120);
  }
  await Promise.all(sent);
};

/** All at once, however many the task asks for; what fails is dropped. */
const allAtOnce: CallerBehaviour = async (client, items) => {
  const [model] = await client.models();
  await Promise.all(items.map((item) => client.complete(item, model)));
};

/** A pool that lowers its width after a rate limit error, and raises it again with each completion. A refused item comes last. */
function loweredPool(lower: (width: number) => number, raise = 0): CallerBehaviour {
  return async (client, items, atOnce) => {
    const [model] = await client.models();
    const queue = [...items];
    const running = new Set<Promise<void>>();
    let width = atOnce;
    const treat = async (item: TaskItem): Promise<void> => {
      const result = await client.complete(item, model);
      if (result?.kind === 'served') width = Math.min(atOnce, width + raise);
      if (result?.kind !== 'refused') return;
      width = Math.max(1, lower(width));
      queue.push(item);
    };
    while (queue.length > 0 || running.size > 0) {
      for (const item of queue.splice(0, Math.max(0, Math.floor(width) - running.size))) {
        const treated: Promise<void> = treat(item).finally(() => running.delete(treated));
        running.add(treated);
      }
      await Promise.race(running);
    }
  };
}

/** Requests that look unlike others, and are as faithful. */
const LOOKS: Readonly<Record<string, (client: ProofClient, item: TaskItem) => Deviation>> = {
  'passes-on-headers-and-a-query': ({ inputs }) => ({
    headers: { origin: 'https://shop.example', via: '1.1 front', 'x-api-key': inputs.apiKey },
    query: '?trace=1',
  }),
  'marks-its-work': (_, { id }) => ({ headers: { 'x-wish': id } }),
};

/** Other messages around each question: a clock in the instructions, and an example. */
const withAClockAndAnExample = oneByOne((client, { text, maxTokens }, model) => {
  const messages = [
    { role: 'system', content: `It is ${performance.now()}.` },
    { role: 'user', content: 'Name a sea.' },
    { role: 'assistant', content: 'The Baltic.' },
    { role: 'user', name: 'ada', content: text },
  ];
  return client.chat({ model, messages, max_tokens: maxTokens });
});

const QUESTIONS = ['Name a tree.', 'Name a bird.', 'Name a stone.', 'Name a fish.'];

/** An application with questions of its own, the model from its configuration, until one is not answered. */
const application: CallerBehaviour = async (client) => {
  let isOver = false;
  await concurrently(QUESTIONS, 2, async (content) => {
    if (isOver) return;
    const system = { role: 'system', content: 'Answer in one word, and nothing more.' };
    const messages = [system, { role: 'user', content }];
    isOver ||= (await client.chat({ model: client.inputs.model, messages, max_tokens: 8 })).kind !== 'served';
  });
};

/** Equal requests of its own: an equal text is not a repetition. */
const equalTexts: CallerBehaviour = async (client) => {
  const [model] = await client.models();
  for (let n = 0; n < 4; n += 1) await client.ask('Name a number.', model);
};

/** A pool over documents of its own; a person asks again, in other words, for those that the workspace shows as settled. */
const asksAgainAfterALook: CallerBehaviour = async (client) => {
  const [model] = await client.models();
  const documents = Array.from({ length: 9 }, (_, index) => `Sum up document ${index + 1}`);
  await concurrently(documents, 4, async (text) => {
    const key = randomUUID();
    if ((await client.ask(text, model, { key })).kind !== 'lost') return;
    if ((await client.lookUp(key)) !== 'under_review') await client.ask(`${text}, please.`, model);
  });
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

/** Faithful callers that are functions, each in another style. */
export const FAITHFUL_CALLERS: readonly ProofCaller[] = [
  faithful('gives-up-at-the-first-failure', EVERY, untilTheFirstFailure),
  faithful('drops-what-failed', [...USE_AND_LOSSES, 'unavailable', 'model-vanishes'], dropsWhatFailed),
  faithful('streams-everything', WITHOUT_WAITING, streamsEverything),
  faithful('looks-before-it-sends-again', [...LOSSES, 'no-answer', 'late-answer'], looksUpLosses),
  faithful('cancels-the-others-and-looks', USE_AND_LOSSES, cancelsTheOthersAndLooks),
  // It sends the texts of lost items again with each later one: nothing shows that as history.
  doubtful('one-transcript', USE_AND_LOSSES, ['CALL-2', 'CALL-6'], oneTranscript),
  faithful('shortens-until-it-fits', 'token-limit', shortensUntilItFits),
  faithful('stops-at-the-first-refusal', WITHOUT_WAITING, stopsAtTheFirstRefusal),
  faithful(
    'sends-on-a-timer',
    ['plain-use', 'rate-limited', 'model-vanishes', 'token-limit', 'unavailable'],
    sendsOnATimer,
  ),
  faithful('all-at-once', WITHOUT_WAITING, allAtOnce),
  faithful(
    'halves-and-grows-again',
    ['plain-use', 'rate-limited'],
    loweredPool((width) => width / 2, 0.2),
  ),
  faithful(
    'one-at-a-time-after-the-limit',
    ['plain-use', 'rate-limited'],
    loweredPool(() => 1),
  ),
  ...Object.entries(LOOKS).map(([name, deviate]) =>
    faithful(
      name,
      ['plain-use', 'charged-and-lost', 'unavailable'],
      oneByOne((client, item, model) => client.chat(chatFor(item, model), deviate(client, item))),
    ),
  ),
  faithful(
    'a-clock-and-an-example-before-the-question',
    ['plain-use', 'charged-and-lost', 'connection-lost', 'token-limit'],
    withAClockAndAnExample,
  ),
  faithful('application-two-at-once', WITHOUT_WAITING, application),
  faithful('equal-texts', [...USE_AND_LOSSES, 'unavailable'], equalTexts),
  faithful('asks-again-in-other-words-after-a-look', USE_AND_LOSSES, asksAgainAfterALook),
  faithful('conversation-of-its-own', USE_AND_LOSSES, ownConversation),
];
