import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { CallerTask } from '../caller-inputs.ts';
import type { TaskItem } from '../scenarios.ts';

/** What a driver is asked to do, and how it records the outcomes. */
export interface DriverTask {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly task: CallerTask;
  readonly record: (line: {
    readonly wish: string;
    readonly idempotencyKey: string;
    readonly outcome: 'served' | 'refused' | 'uncertain';
  }) => void;
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing: start this with chat-conformance caller`);
  return value;
}

export function readTask(): DriverTask {
  const task: CallerTask = JSON.parse(variable('CHAT_TASK'));
  const file = variable('CHAT_RECORD');
  return {
    baseUrl: variable('CHAT_BASE_URL'),
    apiKey: variable('CHAT_API_KEY'),
    timeoutMs: Number(variable('CHAT_TIMEOUT_MS')),
    task,
    record: (line) => appendFileSync(file, `${JSON.stringify(line)}\n`),
  };
}

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

/** The outcome of one request, as far as its client can tell. */
export type DriverOutcome =
  | { readonly kind: 'served' }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'uncertain' };

/** The client under test. Each method sends one request, and throws for no answer of the service. */
export interface DrivenClient {
  readonly models: () => Promise<readonly string[]>;
  /** The models that take images. */
  readonly visionModels: () => Promise<readonly string[]>;
  readonly complete: (chat: DriverChat, idempotencyKey: string) => Promise<DriverOutcome>;
}

/** How often an item may be sent, counting those that were refused. */
const MOST_ATTEMPTS = 3;

function chatFor(item: TaskItem, model: string): DriverChat {
  const { text, image } = item;
  const content: string | Part[] =
    image === undefined
      ? text
      : [
          { type: 'text', text },
          { type: 'image_url', image_url: { url: image } },
        ];
  return { model, messages: [{ role: 'user', content }], max_tokens: item.maxTokens, stream: item.stream };
}

function halved(item: TaskItem): TaskItem {
  const maxTokens = Math.ceil(item.maxTokens / 2);
  return { ...item, text: item.text.slice(0, Math.ceil(item.text.length / 2)), maxTokens };
}

/** A task while it is done. */
class Drive {
  readonly #task: DriverTask;
  readonly #client: DrivenClient;
  readonly #queue: TaskItem[];
  /** How many items are in flight at once. */
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
    // An item may return to the queue after the last worker has left it.
    while (this.#queue.length > 0)
      await Promise.all(Array.from({ length: this.#width }, (_, place) => this.#work(place)));
  }

  async #work(place: number): Promise<void> {
    for (let item = this.#next(place); item !== undefined; item = this.#next(place)) await this.#send(item);
  }

  #next(place: number): TaskItem | undefined {
    return place < this.#width ? this.#queue.shift() : undefined;
  }

  /** Sends an item, and after a refusal what may be sent in its place. */
  async #send(item: TaskItem): Promise<void> {
    let wanted: TaskItem | undefined = item;
    for (let attempt = 0; attempt < MOST_ATTEMPTS && wanted !== undefined; attempt += 1) {
      const model = await this.#modelFor(wanted);
      if (model === undefined) return;
      const idempotencyKey = randomUUID();
      const outcome = await this.#client.complete(chatFor(wanted, model), idempotencyKey);
      this.#task.record({ wish: item.id, idempotencyKey, outcome: outcome.kind });
      // An uncertain request is never sent again: the reader of the record looks it up in the workspace.
      wanted = outcome.kind === 'refused' ? await this.#afterRefusal(wanted, outcome.code) : undefined;
    }
  }

  async #modelFor(item: TaskItem): Promise<string | undefined> {
    if (item.image === undefined) return this.#models[0];
    const seeing = await this.#client.visionModels();
    return this.#models.find((id) => seeing.includes(id));
  }

  /** What to send now in place of a refused item; undefined: nothing, or not yet. */
  async #afterRefusal(item: TaskItem, code: string): Promise<TaskItem | undefined> {
    switch (code) {
      case 'rate_limit':
        this.#width = Math.max(1, Math.floor(this.#width / 2));
        this.#queue.push(item);
        return undefined;
      case 'token_limit':
        return halved(item);
      case 'unknown_model':
        this.#models = await this.#client.models();
        return item;
      default:
        return undefined;
    }
  }
}

export async function driveFaithfully(task: DriverTask, client: DrivenClient): Promise<void> {
  await new Drive(task, client).run();
}
