import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { type Choices, type Generation, type Model, type Page, refuse } from './convention.ts';
import { type Chat, readChat } from './read-chat.ts';
import { type Call, completionReply, jsonReply, startHeartbeat } from './reply.ts';
import { type Account, Workspace } from './workspace.ts';

export const KEYS = {
  primary: 'bird-9vQ2mXw7TzLk4Rn8',
  second: 'bird-Hc5pYd1sGf6JbE3u',
  unscoped: 'bird-Wt0aKi4oNq8VxS2z',
} as const;

/** The owner of a key, and what it may use. */
interface Owner {
  readonly mayInfer: boolean;
  readonly models: readonly Model[];
  /** Completions under way. */
  running: number;
}

const METHODS: Readonly<Record<string, string>> = {
  '/v1/models': 'GET',
  '/v1/vision-capabilities': 'GET',
  '/v1/chat/completions': 'POST',
};

const PLOVER: Model = { id: 'plover', context: 2048, price: 2, vision: false };

/** A chat service that keeps every clause, and fills what is open as it was told to. What it refuses, it throws. */
export class Service {
  readonly workspace = new Workspace();
  readonly #choices: Choices;
  readonly #seed: number;
  readonly #owners: ReadonlyMap<string, Owner>;
  /** The first request under each Idempotency-Key. */
  readonly #firsts = new Map<string, { readonly body: Buffer; readonly reply: Promise<Page> }>();

  constructor(choices: Choices, seed: number) {
    this.#choices = choices;
    this.#seed = seed;
    const { models } = choices;
    this.#owners = new Map<string, Owner>([
      [KEYS.primary, { mayInfer: true, models, running: 0 }],
      [KEYS.second, { mayInfer: true, models: [...models.slice(0, 1), PLOVER], running: 0 }],
      [KEYS.unscoped, { mayInfer: false, models: [], running: 0 }],
    ]);
  }

  async answer(call: Call): Promise<Page> {
    const { elsewhere, status, modelFacts, modelList, vision } = this.#choices;
    const { pathname } = call.url;
    const method = METHODS[pathname];
    if (call.request.method !== method) {
      const kind = method === undefined ? 'no_such_path' : 'wrong_method';
      return elsewhere(status(kind)) ?? refuse(kind, `this path is for ${method ?? 'nothing'}`);
    }
    const owner = this.#ownerOf(call);
    const { models } = owner;
    const records = models.map((model) => ({ id: model.id, facts: modelFacts(model) }));
    if (pathname === '/v1/models') return jsonReply(modelList(records), this.#choices);
    if (pathname === '/v1/vision-capabilities') return jsonReply(vision(models), this.#choices);
    return this.#completeOnce(call, owner);
  }

  #ownerOf({ request: { headers } }: Call): Owner {
    const { authorization } = headers;
    if (authorization === undefined) return refuse('no_credential', 'a bearer key is needed');
    const [, key = ''] = /^bearer +(.+)$/i.exec(authorization) ?? [];
    const owner = this.#owners.get(key);
    if (owner === undefined) return refuse('wrong_credential', 'the key is not known');
    return owner.mayInfer ? owner : refuse('no_scope', 'the key lacks the inference scope');
  }

  /** Completes a chat once for each Idempotency-Key. A refusal does not count. */
  #completeOnce(call: Call, owner: Owner): Promise<Page> {
    const { contentType } = this.#choices;
    const { 'content-type': type = '', 'idempotency-key': key } = call.request.headers;
    if (contentType === 'json' && !/^application\/json\s*(;|$)/i.test(type))
      return refuse('wrong_type', 'the body is declared as application/json');
    if (typeof key !== 'string') return this.#complete(call, undefined, owner);
    const { body, reply } = this.#firsts.get(key) ?? {
      body: call.body,
      reply: this.#complete(call, key, owner),
    };
    if (!body.equals(call.body)) return refuse('key_used', 'this Idempotency-Key was used for another body');
    this.#firsts.set(key, { body, reply });
    reply.catch(() => this.#firsts.delete(key));
    return reply;
  }

  async #complete(call: Call, key: string | undefined, owner: Owner): Promise<Page> {
    const { workspace } = this;
    const chat = readChat(call.body, owner.models, this.#choices);
    if (owner.running >= this.#choices.concurrency || workspace.trigger('rate_limit'))
      refuse('throttled', 'too many requests at once: reduce concurrency');
    if (workspace.trigger('model_unavailable', 'service_unavailable'))
      refuse('unavailable', 'the model or the service is not available now');
    const { price } = chat.model;
    const account = workspace.reserve(String(call.requestId), key, (chat.input + chat.maxTokens) * price);
    owner.running += 1;
    const stopHeartbeat = chat.stream ? startHeartbeat(call, this.#choices) : () => undefined;
    try {
      const lost = await this.#loss(account, call.response);
      if (lost !== undefined) return lost;
      const generation = await this.#generate(chat, `made-${call.requestId}`);
      const debit = (generation.input + generation.output) * price;
      Object.assign(account, { state: 'succeeded', debit, generation });
      return completionReply(generation, chat.stream, this.#choices);
    } finally {
      stopHeartbeat();
      owner.running -= 1;
    }
  }

  /** The reply to a request whose outcome is unknown: it stays under review. */
  async #loss(account: Account, response: ServerResponse): Promise<Page | undefined> {
    const fault = this.workspace.trigger('gateway_failure', 'timeout');
    await nextTurn();
    if (fault === undefined) return undefined;
    account.state = 'under_review';
    if (fault === 'timeout') await new Promise((resolve) => response.once('close', resolve));
    return { status: 502, type: 'text/html', body: '<!doctype html><title>502</title><h1>Bad gateway</h1>' };
  }

  /** Generates the answer to a chat: the same for the same seed. */
  async #generate({ model, input, maxTokens, fingerprint }: Chat, id: string): Promise<Generation> {
    const { countTokens, finishReasons, generate, latencyMs, thinkingTokens } = this.#choices;
    if (latencyMs(model) > 0) await wait(latencyMs(model));
    const room = Math.max(0, maxTokens - thinkingTokens);
    const text = generate(room, drawsOf(`${this.#seed} ${fingerprint}`), countTokens);
    const output = Math.min(maxTokens, thinkingTokens) + countTokens(text);
    const finish = finishReasons[output < maxTokens - 1 ? 'stop' : 'length'];
    return { id, model: model.id, text, finish, input, output };
  }
}

/** Numbers from 0 to below 1, determined by a text. */
function drawsOf(text: string): () => number {
  const bytes = createHash('sha512').update(text).digest();
  let next = 0;
  return () => (bytes[next++ % bytes.length] ?? 0) / 256;
}
