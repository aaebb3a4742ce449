import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Choices, Model, Json, Generation } from './choices.ts';
import type { Faults } from './control.ts';
import { readChat, type Chat } from './read-chat.ts';
import {
  refuse,
  type Call,
  startHeartbeat,
  completionReply,
  jsonReply,
  refusalReply,
  type Reply,
} from './reply.ts';
import type { Account, Workspace } from './workspace.ts';

/** The owner of a key, and what it may use. */
export interface Caller {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly models: readonly Model[];
  /** Completions under way. */
  running: number;
}

/** The steps of handling a request, in order. A defect replaces some. */
export interface Steps {
  /** Throws a Refusal, as the next two do. */
  readonly answer: (call: Call, parts: Parts) => Promise<Reply>;
  readonly callerOf: (call: Call, parts: Parts) => Caller;
  readonly readChat: typeof readChat;
  readonly completionReply: typeof completionReply;
  readonly refusalReply: typeof refusalReply;
}

/** The parts of a service. */
export interface Parts {
  readonly steps: Steps;
  readonly seed: number;
  readonly choices: Choices;
  readonly callers: ReadonlyMap<string, Caller>;
  readonly workspace: Workspace;
  readonly faults: Faults;
  readonly idempotency: Pick<IdempotencyStore, 'once'>;
}

const METHODS: Readonly<Record<string, string>> = {
  '/v1/models': 'GET',
  '/v1/vision-capabilities': 'GET',
  '/v1/chat/completions': 'POST',
};

async function answer(call: Call, parts: Parts): Promise<Reply> {
  const { choices } = parts;
  const method = METHODS[call.path];
  if (method === undefined)
    return choices.elsewhere('no_such_path') ?? refuse('no_such_path', 'nothing is here');
  if (call.request.method !== method)
    return choices.elsewhere('wrong_method') ?? refuse('wrong_method', `this path is for ${method}`);
  const caller = parts.steps.callerOf(call, parts);
  if (call.path === '/v1/models') return jsonReply(listOf(caller.models, choices), choices);
  if (call.path === '/v1/vision-capabilities') return jsonReply(choices.vision(caller.models), choices);
  return chatOnce(call, caller, parts);
}

function callerOf({ request }: Call, { callers }: Parts): Caller {
  const { authorization } = request.headers;
  if (authorization === undefined) return refuse('no_credential', 'a bearer key is needed');
  const [, key = ''] = /^bearer +(.+)$/i.exec(authorization) ?? [];
  const caller = callers.get(key);
  if (caller === undefined) return refuse('wrong_credential', 'the key is not known');
  return caller.scopes.includes('inference')
    ? caller
    : refuse('no_scope', 'the key lacks the inference scope');
}

function listOf(models: readonly Model[], { modelFacts, modelList }: Choices): Json {
  return modelList(models.map((model) => ({ id: model.id, facts: modelFacts(model) })));
}

/** Completes a chat once for each Idempotency-Key, as chosen. */
function chatOnce(call: Call, caller: Caller, parts: Parts): Promise<Reply> {
  const { request, body } = call;
  const type = request.headers['content-type'] ?? '';
  if (parts.choices.contentType === 'json' && !/^application\/json\s*(;|$)/i.test(type))
    return refuse('wrong_type', 'the body is declared as application/json');
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string') {
    if (parts.choices.missingKey === 'refused') refuse('key_missing', 'an Idempotency-Key is needed');
    return chat(call, undefined, caller, parts);
  }
  return parts.idempotency.once(key, body, () => chat(call, key, caller, parts));
}

async function chat(call: Call, key: string | undefined, caller: Caller, parts: Parts): Promise<Reply> {
  const { choices, faults } = parts;
  const asked = parts.steps.readChat(call.body, caller.models, choices);
  if (caller.running >= choices.concurrency || faults.trigger('rate_limit'))
    refuse('rate_limit', 'too many requests at once: reduce concurrency');
  if (faults.trigger('model_unavailable', 'service_unavailable'))
    refuse('unavailable', 'the model or the service is not available now');
  const credits = (tokens: number): number => tokens * asked.model.price;
  const account = parts.workspace.reserve(
    String(call.requestId),
    key,
    credits(asked.input + asked.maxTokens),
  );
  caller.running += 1;
  const stopHeartbeat = asked.stream ? startHeartbeat(call, choices) : () => undefined;
  try {
    const lost = await loss(account, call.response, faults);
    if (lost !== undefined) return lost;
    const generation = await completeChat(asked, String(call.requestId), parts.seed, choices);
    parts.workspace.debit(account, credits(generation.input + generation.output), generation);
    return parts.steps.completionReply(generation, asked.stream, choices);
  } finally {
    stopHeartbeat();
    caller.running -= 1;
  }
}

/** The reply to a request whose outcome is unknown: it stays under review. */
async function loss(account: Account, response: ServerResponse, faults: Faults): Promise<Reply | undefined> {
  const fault = faults.trigger('gateway_failure', 'timeout');
  await nextTurn();
  if (fault === undefined) return undefined;
  account.state = 'under_review';
  if (fault === 'timeout') await new Promise((resolve) => response.once('close', resolve));
  return { status: 502, type: 'text/html', body: '<!doctype html><title>502</title><h1>Bad gateway</h1>' };
}

/** Every step of a faithful service. */
export const STEPS: Steps = { answer, callerOf, readChat, completionReply, refusalReply };

/** Generates the answer to a chat: the same for the same seed. */
async function completeChat(
  { model, input, maxTokens, fingerprint }: Chat,
  requestId: string,
  seed: number,
  { countTokens, finishReasons, generate, latencyMs, thinkingTokens }: Choices,
): Promise<Generation> {
  if (latencyMs(model) > 0) await wait(latencyMs(model));
  const room = Math.max(0, maxTokens - thinkingTokens);
  const text = generate(room, drawsOf(`${seed} ${fingerprint}`), countTokens);
  const output = Math.min(maxTokens, thinkingTokens) + countTokens(text);
  const finish = finishReasons[output < maxTokens - 1 ? 'stop' : 'length'];
  return { id: `made-${requestId}`, model: model.id, text, finish, input, output };
}

/** Numbers from 0 to below 1, determined by a text. */
function drawsOf(text: string): () => number {
  const bytes = createHash('sha512').update(text).digest();
  let next = 0;
  return () => (bytes[next++ % bytes.length] ?? 0) / 256;
}

interface First {
  readonly body: Buffer;
  readonly reply: Promise<Reply>;
}

/** The reply to the first request under each Idempotency-Key. */
export class IdempotencyStore {
  readonly #policy: Choices['repeatedKey'];
  readonly #firsts = new Map<string, First>();

  constructor(policy: Choices['repeatedKey']) {
    this.#policy = policy;
  }

  /** Acts on the first request under a key, and deals with later ones as chosen. A refusal does not count as first. */
  once(key: string, body: Buffer, act: () => Promise<Reply>): Promise<Reply> {
    if (this.#policy === 'ignored') return act();
    const first = this.#firsts.get(key);
    if (first === undefined) return this.#act(key, body, act);
    if (this.#policy === 'refused') return refuse('key_used', 'this Idempotency-Key was used before');
    if (!first.body.equals(body))
      return refuse('key_used', 'this Idempotency-Key belongs to another request');
    return first.reply;
  }

  #act(key: string, body: Buffer, act: () => Promise<Reply>): Promise<Reply> {
    const reply = act();
    this.#firsts.set(key, { body, reply });
    reply.catch(() => this.#firsts.delete(key));
    return reply;
  }
}
