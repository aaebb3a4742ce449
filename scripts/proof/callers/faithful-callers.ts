import { randomUUID } from 'node:crypto';
import { callerScenarioNames, type CallerScenarioName } from '../../caller/scenarios/caller-scenarios.ts';
import type { CallerInputs } from '../../caller/caller-inputs.ts';
import {
  askForWish,
  byFetch,
  chatFor,
  ProofClient,
  type Transport,
  pooled,
  byNodeHttp,
  bySocket,
  byUndici,
} from './proof-client.ts';
import { faithful, inProcess, type ProofCaller } from './proof-caller.ts';
import type { TaskItem } from '../../caller/scenarios/scenario.ts';

const EVERY = callerScenarioNames();
const LOSSES: readonly CallerScenarioName[] = [
  'charged-and-lost',
  'lost-before-reservation',
  'html-answer',
  'connection-lost',
  'stream-cut',
];

/** One wish after the other, until something is not as it should be. */
async function untilTheFirstFailure(place: CallerInputs, transport: Transport): Promise<void> {
  const client = new ProofClient(place, transport);
  const [model] = await client.models();
  for (const wish of place.task.wishes) {
    const reply = await askForWish(client, wish, model);
    if (reply !== undefined && reply.kind !== 'served') return;
  }
}

/** One wish after the other, the models read anew for each, whatever became of the one before. */
async function oneByOne(place: CallerInputs): Promise<void> {
  const client = new ProofClient(place);
  for (const wish of place.task.wishes) await askForWish(client, wish, (await client.models())[0]);
}

/** What was lost it looks up, and asks for anew only where nothing was done. */
async function looksBeforeItSendsAgain(place: CallerInputs): Promise<void> {
  const client = new ProofClient(place);
  const [model] = await client.models();
  for (const wish of place.task.wishes) {
    const key = randomUUID();
    const reply = await client.chat(chatFor(wish, model), { key });
    if (reply.kind !== 'lost') continue;
    const state = await client.look(key);
    if (state === undefined || state === 'failed') await client.chat(chatFor(wish, model));
  }
}

/** Every answer as a stream. */
async function streaming(place: CallerInputs): Promise<void> {
  const client = new ProofClient(place, byUndici);
  const [model] = await client.models();
  for (const wish of place.task.wishes) {
    const reply = await askForWish(client, { ...wish, stream: true }, model);
    if (reply?.kind === 'refused') return;
  }
}

/** One conversation: each request holds all that was said before. */
async function inOneConversation(place: CallerInputs): Promise<void> {
  const client = new ProofClient(place);
  const [model] = await client.models();
  const said: object[] = [];
  for (const { text } of place.task.wishes) {
    said.push({ role: 'user', content: text });
    const reply = await client.chat({ model, messages: said, max_tokens: 16 });
    said.push({ role: 'assistant', content: reply.kind === 'served' ? 'So it is.' : 'Nothing came.' });
  }
}

/** Wishes of its own, all alike: an equal text is no repetition. */
async function alike(place: CallerInputs): Promise<void> {
  const client = new ProofClient(place);
  const [model] = await client.models();
  const messages = [{ role: 'user', content: 'Name a number.' }];
  for (let n = 0; n < 4; n += 1) await client.chat({ model, messages });
}

/** Reads the models again when one is refused, and takes another. */
async function takesAnotherModel(place: CallerInputs): Promise<void> {
  const client = new ProofClient(place);
  let [model] = await client.models();
  for (const wish of place.task.wishes) {
    const reply = await askForWish(client, wish, model);
    if (reply?.kind !== 'refused') continue;
    model = (await client.models()).find((id) => id !== model) ?? model;
    await askForWish(client, wish, model);
  }
}

/** Shortens a text that is too long, again and again. */
async function shortens(place: CallerInputs): Promise<void> {
  const client = new ProofClient(place);
  const [model] = await client.models();
  for (const wish of place.task.wishes)
    for (let { length } = wish.text; length > 20; length = Math.ceil(length / 2)) {
      const reply = await askForWish(client, { ...wish, text: wish.text.slice(0, length) }, model);
      if (reply?.kind === 'served') break;
    }
}

async function byHttpAgent(place: CallerInputs): Promise<void> {
  const { send, close } = byNodeHttp();
  await untilTheFirstFailure(place, send);
  close();
}

/** Faithful callers that are functions, each in another style. */
export const FAITHFUL_CALLERS: readonly ProofCaller[] = [
  faithful(
    'gives-up-at-the-first-failure',
    EVERY,
    inProcess((place) => untilTheFirstFailure(place, byFetch)),
  ),
  faithful('node-http-with-an-agent', EVERY, inProcess(byHttpAgent)),
  faithful(
    'bare-sockets',
    EVERY,
    inProcess((place) => untilTheFirstFailure(place, bySocket)),
  ),
  faithful('one-by-one', [...LOSSES, 'plain-use', 'rate-limited', 'unavailable'], inProcess(oneByOne)),
  faithful('additive-increase', ['plain-use', 'rate-limited', ...LOSSES], inProcess(additiveIncrease)),
  faithful('stops-at-the-first-refusal', EVERY, inProcess(stopsAtTheFirstRefusal)),
  faithful('one-by-one-after-the-limit', ['rate-limited', 'plain-use'], inProcess(oneByOneAfterTheLimit)),
  faithful('looks-before-it-sends-again', [...LOSSES, 'no-answer'], inProcess(looksBeforeItSendsAgain)),
  faithful('streams-everything', EVERY, inProcess(streaming)),
  faithful('one-conversation', ['plain-use', ...LOSSES], inProcess(inOneConversation)),
  faithful('equal-texts', ['plain-use'], inProcess(alike)),
  faithful('takes-another-model', ['model-vanishes', 'unavailable'], inProcess(takesAnotherModel)),
  faithful('shortens-until-it-fits', ['token-limit'], inProcess(shortens)),
];

/** So many at once, half as many after each rate limit error, and one more after each success. */
async function additiveIncrease(place: CallerInputs): Promise<void> {
  const client = new ProofClient(place);
  const [model] = await client.models();
  const queue = [...place.task.wishes];
  const running = new Set<Promise<void>>();
  let width = place.task.atOnce;
  const step = async (wish: TaskItem): Promise<void> => {
    const reply = await askForWish(client, wish, model);
    if (reply?.kind === 'served') width = Math.min(place.task.atOnce, width + 0.25);
    if (reply?.kind !== 'refused') return;
    if (reply.code === 'rate_limit') width = Math.max(1, width / 2);
    if (reply.code === 'rate_limit') queue.push(wish);
    else queue.length = 0;
  };
  while (queue.length > 0 || running.size > 0) {
    while (queue.length > 0 && running.size < Math.floor(width)) {
      const task: Promise<void> = step(queue.shift() ?? place.task.wishes[0] ?? missing()).finally(() =>
        running.delete(task),
      );
      running.add(task);
    }
    await Promise.race(running);
  }
}

function missing(): never {
  throw new Error('a scenario without wishes');
}

/** All at once, until the first refusal: then nothing more. */
async function stopsAtTheFirstRefusal(place: CallerInputs): Promise<void> {
  const client = new ProofClient(place);
  const [model] = await client.models();
  let isOver = false;
  await pooled(place.task.wishes, place.task.atOnce, async (wish) => {
    if (isOver) return;
    const reply = await askForWish(client, wish, model);
    isOver ||= reply?.kind === 'refused';
  });
}

/** After a rate limit error one after the other, from then on. */
async function oneByOneAfterTheLimit(place: CallerInputs): Promise<void> {
  const client = new ProofClient(place);
  const [model] = await client.models();
  let line = Promise.resolve();
  let isInLine = false;
  await pooled(place.task.wishes, place.task.atOnce, async (wish) => {
    const turn = async (): Promise<void> => {
      const reply = await askForWish(client, wish, model);
      isInLine ||= reply?.kind === 'refused';
    };
    if (isInLine) line = line.then(turn);
    await (isInLine ? line : turn());
  });
}
