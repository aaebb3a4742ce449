import { randomUUID } from 'node:crypto';
import { callerScenarioNames, type CallerScenarioName } from '../../caller/scenarios.ts';
import {
  type CallerBehaviour,
  dropsWhatFailed,
  faithful,
  type ProofCaller,
  untilTheFirstFailure,
} from './proof-caller.ts';
import { chatFor, concurrently, ProofClient } from './proof-client.ts';
import { byNodeHttp, bySocket, byUndici } from './transports.ts';

const EVERY = callerScenarioNames();
const LOSSES: readonly CallerScenarioName[] = [
  'charged-and-lost',
  'lost-before-reservation',
  'html-answer',
  'connection-lost',
  'stream-cut',
];

/** Looks up each lost request, and sends it again only if it failed or never arrived. */
const looksUpLosses: CallerBehaviour = async (client, items) => {
  const [model] = await client.models();
  for (const item of items) {
    const key = randomUUID();
    const { kind } = await client.chat(chatFor(item, model), { key });
    if (kind !== 'lost') continue;
    const state = await client.lookUp(key);
    if (state === undefined || state === 'failed') await client.chat(chatFor(item, model));
  }
};

/** Requests every answer as a stream, until the first refusal. */
const streamsEverything: CallerBehaviour = async (client, items) => {
  const [model] = await client.models();
  for (const item of items) {
    const result = await client.complete({ ...item, stream: true }, model);
    if (result?.kind === 'refused') return;
  }
};

/** Leads one conversation: each request repeats what was said before. */
const oneConversation: CallerBehaviour = async (client, items) => {
  const [model] = await client.models();
  const messages: object[] = [];
  for (const { text } of items) {
    messages.push({ role: 'user', content: text });
    const { kind } = await client.chat({ model, messages, max_tokens: 16 });
    messages.push({ role: 'assistant', content: kind === 'served' ? 'So it is.' : 'Nothing came.' });
  }
};

/** Writes all that was said into one message. */
const oneTranscript: CallerBehaviour = async (client, items) => {
  const [model] = await client.models();
  let said = '';
  for (const { text } of items) {
    said += `Question: ${text}\n`;
    const { kind } = await client.chat({
      model,
      messages: [{ role: 'user', content: said }],
      max_tokens: 16,
    });
    said += kind === 'served' ? 'Answer: So it is.\n' : 'Answer: none came.\n';
  }
};

/** Sends equal requests of its own: an equal text is not a repetition. */
const equalTexts: CallerBehaviour = async (client) => {
  const [model] = await client.models();
  const messages = [{ role: 'user', content: 'Name a number.' }];
  for (let n = 0; n < 4; n += 1) await client.chat({ model, messages });
};

/** Lists the models again when one is refused, and takes another. */
const takesAnotherModel: CallerBehaviour = async (client, items) => {
  let [model] = await client.models();
  for (const item of items) {
    const result = await client.complete(item, model);
    if (result?.kind !== 'refused') continue;
    model = (await client.models()).find((id) => id !== model) ?? model;
    await client.complete(item, model);
  }
};

/** Halves a text that is too long until it fits. */
const shortensUntilItFits: CallerBehaviour = async (client, items) => {
  const [model] = await client.models();
  for (const item of items)
    for (let { length } = item.text; length > 20; length = Math.ceil(length / 2)) {
      const result = await client.complete({ ...item, text: item.text.slice(0, length) }, model);
      if (result?.kind === 'served') break;
    }
};

/** Requests all items at once, and nothing more after the first refusal. */
const stopsAtTheFirstRefusal: CallerBehaviour = async (client, items, atOnce) => {
  const [model] = await client.models();
  let isOver = false;
  await concurrently(items, atOnce, async (item) => {
    if (isOver) return;
    const result = await client.complete(item, model);
    isOver ||= result?.kind === 'refused';
  });
};

/** Requests one item at a time from the first rate limit error on. */
const oneByOneAfterTheLimit: CallerBehaviour = async (client, items, atOnce) => {
  const [model] = await client.models();
  let line = Promise.resolve();
  let isLimited = false;
  await concurrently(items, atOnce, async (item) => {
    const turn = async (): Promise<void> => {
      const result = await client.complete(item, model);
      isLimited ||= result?.kind === 'refused';
    };
    if (isLimited) line = line.then(turn);
    await (isLimited ? line : turn());
  });
};

/** By node:http with an agent. */
const byAgent: CallerBehaviour = async ({ inputs }, items, atOnce) => {
  const { send, close } = byNodeHttp();
  await untilTheFirstFailure(new ProofClient(inputs, send), items, atOnce);
  close();
};

/** Faithful callers that are functions, each in another style. */
export const FAITHFUL_CALLERS: readonly ProofCaller[] = [
  faithful('gives-up-at-the-first-failure', EVERY, untilTheFirstFailure),
  faithful('node-http-with-an-agent', EVERY, byAgent),
  faithful('bare-sockets', EVERY, untilTheFirstFailure, bySocket),
  faithful('one-by-one', [...LOSSES, 'plain-use', 'rate-limited', 'unavailable'], dropsWhatFailed),
  faithful('stops-at-the-first-refusal', EVERY, stopsAtTheFirstRefusal),
  faithful('one-by-one-after-the-limit', ['rate-limited', 'plain-use'], oneByOneAfterTheLimit),
  faithful('looks-before-it-sends-again', [...LOSSES, 'no-answer'], looksUpLosses),
  faithful('streams-everything', EVERY, streamsEverything, byUndici),
  faithful('one-conversation', ['plain-use', ...LOSSES], oneConversation),
  faithful('one-transcript', ['plain-use', ...LOSSES], oneTranscript),
  faithful('equal-texts', ['plain-use'], equalTexts),
  faithful('takes-another-model', ['model-vanishes', 'unavailable'], takesAnotherModel),
  faithful('shortens-until-it-fits', ['token-limit'], shortensUntilItFits),
];
