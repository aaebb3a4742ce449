import { randomUUID } from 'node:crypto';
import type { Wish } from '../../../fixtures/caller-scenarios/scenario.ts';
import type { DriverTask } from './driver-task.ts';

/** A chat completion request of the specification's five fields. */
export interface DriverChat {
  readonly model: string;
  readonly messages: readonly { readonly role: 'user'; readonly content: string | readonly object[] }[];
  readonly max_tokens: number;
  readonly stream: boolean;
}

/** What became of one request, as far as its client can say. */
export type DriverOutcome =
  | { readonly kind: 'served' }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'uncertain' };

/** The client under test: each method sends one request, and none throws for what the service answers. */
export interface DrivenClient {
  readonly models: () => Promise<readonly string[]>;
  /** The models that take images. */
  readonly visionModels: () => Promise<readonly string[]>;
  readonly complete: (chat: DriverChat, idempotencyKey: string) => Promise<DriverOutcome>;
}

/** How often a wish may be asked for anew after it was refused. */
const MOST_ATTEMPTS = 3;

function chatFor(wish: Wish, model: string): DriverChat {
  const image = wish.image && { type: 'image_url', image_url: { url: wish.image } };
  const content = image ? [{ type: 'text', text: wish.text }, image] : wish.text;
  return { model, messages: [{ role: 'user', content }], max_tokens: wish.maxTokens, stream: wish.stream };
}

function halved(wish: Wish): Wish {
  const maxTokens = Math.ceil(wish.maxTokens / 2);
  return { ...wish, text: wish.text.slice(0, Math.ceil(wish.text.length / 2)), maxTokens };
}

/** Does a task as the specification wants it done, whatever the client that it is done with. */
export async function driveFaithfully({ task, record }: DriverTask, client: DrivenClient): Promise<void> {
  let models = await client.models();
  let width = task.atOnce;
  const queue = [...task.wishes];

  const modelFor = async (wish: Wish): Promise<string | undefined> => {
    if (wish.image === undefined) return models[0];
    const seeing = await client.visionModels();
    return models.find((id) => seeing.includes(id));
  };

  /** What to ask for next in place of a wish that was refused; undefined: nothing. */
  const afterRefusal = async (wish: Wish, code: string): Promise<Wish | undefined> => {
    if (code === 'rate_limit') {
      width = Math.max(1, Math.floor(width / 2));
      return wish;
    }
    if (code === 'token_limit') return halved(wish);
    if (code !== 'unknown_model') return undefined;
    models = await client.models();
    return wish;
  };

  const fulfil = async (wish: Wish): Promise<void> => {
    let wanted: Wish | undefined = wish;
    for (let attempt = 0; attempt < MOST_ATTEMPTS && wanted !== undefined; attempt += 1) {
      const model = await modelFor(wanted);
      if (model === undefined) return;
      const idempotencyKey = randomUUID();
      const outcome = await client.complete(chatFor(wanted, model), idempotencyKey);
      record({ wish: wish.id, idempotencyKey, outcome: outcome.kind });
      // Of what is uncertain the workspace tells, and somebody who reads the record looks there.
      if (outcome.kind !== 'refused') return;
      wanted = await afterRefusal(wanted, outcome.code);
      if (outcome.code === 'rate_limit' && wanted !== undefined) {
        queue.push(wanted);
        return;
      }
    }
  };

  const worker = async (place: number): Promise<void> => {
    while (place < width) {
      const wish = queue.shift();
      if (wish === undefined) return;
      await fulfil(wish);
    }
  };
  // A wish may come back to the queue when the last worker has just left it.
  while (queue.length > 0) await Promise.all(Array.from({ length: width }, (_, place) => worker(place)));
}
