import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { TaskItem } from '../../caller/scenarios.ts';
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

/** Sends an item, and then something else instead of it. */
function thenInstead(next: (item: TaskItem) => TaskItem): ItemBehaviour {
  return async (client, item, model) => {
    await client.chat(chatFor(item, model));
    await client.chat(chatFor(next(item), model));
  };
}

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
  brokenOneByOne(
    'same-again-after-token-limit',
    'token-limit',
    ['CALL-3'],
    thenInstead((item) => item),
  ),
  brokenOneByOne(
    'one-character-less-and-far-more-output',
    'token-limit',
    ['CALL-3'],
    thenInstead((item) => ({ ...item, text: item.text.slice(0, -1), maxTokens: item.maxTokens * 100 })),
  ),
  brokenOneByOne(
    'more-output-after-token-limit',
    'token-limit',
    ['CALL-3'],
    thenInstead((item) => ({ ...item, maxTokens: item.maxTokens * 2 })),
  ),
];
