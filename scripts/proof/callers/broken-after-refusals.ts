import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { CALLER_SCENARIOS, type TaskItem } from '../../caller/scenarios.ts';
import { withClock } from './broken-after-losses.ts';
import { broken, brokenOneByOne, type ItemBehaviour, type ProofCaller } from './proof-caller.ts';
import { chatFor, concurrently } from './proof-client.ts';

/** Repeats an item until it is not refused, so many times at most; under one key, or a fresh key each time. */
function insisting(times: number, hasOneKey: boolean): ItemBehaviour {
  return async (client, item, model) => {
    const key = hasOneKey ? { key: randomUUID() } : {};
    for (let attempt = 0; attempt < times; attempt += 1)
      if ((await client.chat(chatFor(item, model), key)).kind !== 'refused') break;
  };
}

const LONG = CALLER_SCENARIOS['token-limit'].items[0]?.text ?? '';

/** What a caller sends after a token limit error. */
const NO_SMALLER: Readonly<Record<string, (item: TaskItem, model: string) => object>> = {
  'same-again-after-token-limit': chatFor,
  'one-character-less-and-far-more-output': (item, model) =>
    chatFor({ ...item, text: item.text.slice(0, -1), maxTokens: item.maxTokens * 100 }, model),
  'more-output-after-token-limit': (item, model) =>
    chatFor({ ...item, maxTokens: item.maxTokens * 2 }, model),
  'no-limit-after-a-token-limit-error': ({ text }, model) => ({
    model,
    messages: [{ role: 'user', content: text }],
  }),
  'twice-the-text-after-a-token-limit-error': (item, model) =>
    chatFor({ ...item, text: item.text + LONG }, model),
  'instructions-added-after-a-token-limit-error': (item, model) => withClock(chatFor(item, model)),
  'streamed-after-a-token-limit-error': (item, model) => chatFor({ ...item, stream: true }, model),
};

/** Callers that do the wrong thing after a refusal. */
export const BROKEN_AFTER_REFUSALS: readonly ProofCaller[] = [
  broken('concurrency-unchanged', 'rate-limited', ['CALL-1'], async (client, items, atOnce) => {
    const [model] = await client.models();
    await concurrently(items, atOnce, (item) => client.chat(chatFor(item, model)));
  }),
  broken('concurrency-raised', 'rate-limited', ['CALL-1'], async (client, items, atOnce) => {
    const [model] = await client.models();
    const more: Promise<void>[] = [];
    const queue = items.values();
    const worker = async (): Promise<void> => {
      for (const item of queue) {
        const { kind } = await client.chat(chatFor(item, model));
        if (kind === 'refused') more.push(worker(), worker());
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    await Promise.all(more);
  }),
  broken('one-alone-and-then-twice-as-many', 'rate-limited', ['CALL-1'], async (client, items, atOnce) => {
    const [model] = await client.models();
    const queue = [...items];
    let width = atOnce;
    while (queue.length > 0) {
      const wave = queue.splice(0, width).map((item) => client.chat(chatFor(item, model)));
      const isRefused = (await Promise.all(wave)).some(({ kind }) => kind === 'refused');
      if (isRefused) width = 1;
      else if (width !== atOnce) width = 2 * atOnce;
    }
  }),
  broken('concurrency-back-after-a-pause', 'rate-limited', ['CALL-1'], async (client, items, atOnce) => {
    const [model] = await client.models();
    let pause = Promise.resolve();
    await concurrently(items, atOnce, async (item) => {
      await pause;
      const { kind } = await client.chat(chatFor(item, model));
      if (kind === 'refused') pause = setTimeout(200);
    });
  }),
  brokenOneByOne('retry-storm', 'rate-limited', ['CALL-6'], insisting(20, true)),
  brokenOneByOne('retry-while-unavailable', 'unavailable', ['CALL-6'], insisting(2, true)),
  brokenOneByOne('storm-of-fresh-keys', 'unavailable', ['CALL-6'], insisting(30, false)),
  ...Object.entries(NO_SMALLER).map(([name, next]) =>
    brokenOneByOne(name, 'token-limit', ['CALL-3'], async (client, item, model) => {
      await client.chat(chatFor(item, model));
      await client.chat(next(item, model));
    }),
  ),
];
