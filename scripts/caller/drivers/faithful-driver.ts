import { randomUUID } from 'node:crypto';
import type { TaskItem } from '../scenarios/scenario.ts';
import type { DriverTask } from './driver-task.ts';

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/** A chat completion request of the specification's fields. */
export interface DriverChat {
  readonly model: string;
  readonly messages: readonly { readonly role: 'user'; readonly content: string | Part[] }[];
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

function chatFor(wish: TaskItem, model: string): DriverChat {
  const { text, image } = wish;
  const content: string | Part[] =
    image === undefined
      ? text
      : [
          { type: 'text', text },
          { type: 'image_url', image_url: { url: image } },
        ];
  return { model, messages: [{ role: 'user', content }], max_tokens: wish.maxTokens, stream: wish.stream };
}

function halved(wish: TaskItem): TaskItem {
  const maxTokens = Math.ceil(wish.maxTokens / 2);
  return { ...wish, text: wish.text.slice(0, Math.ceil(wish.text.length / 2)), maxTokens };
}

/** One task on its way. */
class Drive {
  readonly #task: DriverTask;
  readonly #client: DrivenClient;
  readonly #queue: TaskItem[];
  /** How many wishes are under way at once. */
  #width: number;
  #models: readonly string[] = [];

  constructor(task: DriverTask, client: DrivenClient) {
    this.#task = task;
    this.#client = client;
    this.#queue = [...task.task.wishes];
    this.#width = task.task.atOnce;
  }

  async run(): Promise<void> {
    this.#models = await this.#client.models();
    // A wish may come back to the queue when the last worker has just left it.
    while (this.#queue.length > 0)
      await Promise.all(Array.from({ length: this.#width }, (_, place) => this.#work(place)));
  }

  async #work(place: number): Promise<void> {
    for (let wish = this.#next(place); wish !== undefined; wish = this.#next(place)) await this.#fulfil(wish);
  }

  #next(place: number): TaskItem | undefined {
    return place < this.#width ? this.#queue.shift() : undefined;
  }

  /** Asks for a wish, and for what is left of it while it is refused. */
  async #fulfil(wish: TaskItem): Promise<void> {
    let wanted: TaskItem | undefined = wish;
    for (let attempt = 0; attempt < MOST_ATTEMPTS && wanted !== undefined; attempt += 1) {
      const model = await this.#modelFor(wanted);
      if (model === undefined) return;
      const idempotencyKey = randomUUID();
      const outcome = await this.#client.complete(chatFor(wanted, model), idempotencyKey);
      this.#task.record({ wish: wish.id, idempotencyKey, outcome: outcome.kind });
      // Of what is uncertain the workspace tells: whoever reads the record looks there.
      wanted = outcome.kind === 'refused' ? await this.#afterRefusal(wanted, outcome.code) : undefined;
    }
  }

  async #modelFor(wish: TaskItem): Promise<string | undefined> {
    if (wish.image === undefined) return this.#models[0];
    const seeing = await this.#client.visionModels();
    return this.#models.find((id) => seeing.includes(id));
  }

  /** What to ask for now in place of a wish that was refused; undefined: nothing, or not yet. */
  async #afterRefusal(wish: TaskItem, code: string): Promise<TaskItem | undefined> {
    switch (code) {
      case 'rate_limit':
        this.#width = Math.max(1, Math.floor(this.#width / 2));
        this.#queue.push(wish);
        return undefined;
      case 'token_limit':
        return halved(wish);
      case 'unknown_model':
        this.#models = await this.#client.models();
        return wish;
      default:
        return undefined;
    }
  }
}

/** Does a task as the specification wants it done, whatever the client that it is done with. */
export async function driveFaithfully(task: DriverTask, client: DrivenClient): Promise<void> {
  await new Drive(task, client).run();
}
