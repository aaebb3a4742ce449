import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { TaskItem } from '../../caller/scenarios.ts';
import { broken, type CallerBehaviour, oneByOne, type ProofCaller } from './proof-caller.ts';
import { chatFor, concurrently } from './proof-client.ts';

/**
 * A pool whose slots send a refused item again after a pause, so often at most: as many are in flight again as soon as the
 * pause ends. Under one key, or a fresh key each time.
 */
function insisting(attempts: number, pauseMs: number, hasOneKey = false): CallerBehaviour {
  return async (client, items, atOnce) => {
    const [model] = await client.models();
    await concurrently(items, atOnce, async (item) => {
      const own = hasOneKey ? { key: randomUUID() } : {};
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        if ((await client.chat(chatFor(item, model), own)).kind !== 'refused') return;
        await setTimeout(pauseMs);
      }
    });
  };
}

/** What a caller sends after a token limit error. */
const NO_SMALLER: Readonly<Record<string, (item: TaskItem, model: string) => object>> = {
  'same-again-after-token-limit': chatFor,
  'one-character-less-and-far-more-output': (item, model) =>
    chatFor({ ...item, text: item.text.slice(0, -1), maxTokens: item.maxTokens * 100 }, model),
};

/** Callers that do the wrong thing after a refusal. */
export const BROKEN_AFTER_REFUSALS: readonly ProofCaller[] = [
  broken('concurrency-unchanged', 'rate-limited', ['CALL-1'], insisting(1, 0)),
  broken('slot-waits-as-told', 'rate-limited', ['CALL-1'], insisting(5, 1000)),
  broken('slot-sends-again-with-its-key', 'rate-limited', ['CALL-1', 'CALL-6'], insisting(5, 0, true)),
  broken('retry-while-unavailable', 'unavailable', ['CALL-6'], insisting(2, 0, true)),
  broken('storm-of-fresh-keys', 'unavailable', ['CALL-6'], insisting(30, 0)),
  ...Object.entries(NO_SMALLER).map(([name, next]) =>
    broken(
      name,
      'token-limit',
      ['CALL-3'],
      oneByOne(async (client, item, model) => {
        await client.chat(chatFor(item, model));
        await client.chat(next(item, model));
      }),
    ),
  ),
  broken(
    'refused-model-used-on',
    'model-vanishes',
    ['CALL-5'],
    oneByOne((client, item, model) => client.chat(chatFor(item, model))),
  ),
];
