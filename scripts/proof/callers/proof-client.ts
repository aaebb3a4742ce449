import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { TaskItem } from '../../caller/scenarios.ts';
import type { CallerInputs } from '../../caller/start-command.ts';

/** What became of a chat, as a client sees it. */
export type ChatResult =
  | { readonly kind: 'served'; readonly text: string }
  | { readonly kind: 'refused' | 'lost' };

/** How a request differs from that of a faithful caller. */
export interface Deviation {
  /** Null: no Idempotency-Key is sent. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly baseUrl?: string;
  readonly query?: string;
  /** Other fields of the chat. */
  readonly chat?: object;
  readonly timeoutMs?: number;
  /** Ends the request early. */
  readonly signal?: AbortSignal;
}

/** A model as the two lists show it: only that of the vision endpoint says whether it has vision. */
interface Listed {
  readonly id: string;
  readonly vision?: boolean;
}

/** A small client for callers whose faults are known. All that it does by itself is to list the models, before it first needs one. */
export class ProofClient {
  readonly inputs: CallerInputs;
  #listed: Promise<readonly Listed[]> | undefined;

  constructor(inputs: CallerInputs) {
    this.inputs = inputs;
  }

  async list(endpoint: 'models' | 'vision-capabilities'): Promise<readonly Listed[]> {
    const { baseUrl, apiKey } = this.inputs;
    const response = await fetch(`${baseUrl}/${endpoint}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const { data }: { data: readonly Listed[] } = JSON.parse(await response.text());
    return data;
  }

  /** Requests a completion by the first model, under a fresh Idempotency-Key, unless it deviates or names another. */
  async chat(chat: object, deviation: Deviation = {}): Promise<ChatResult> {
    const { key = randomUUID(), headers: more, query = '', signal, ...others } = deviation;
    const { baseUrl, apiKey, timeoutMs } = { ...this.inputs, ...others };
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...(key !== null && { 'idempotency-key': key }),
      ...more,
    };
    const [first] = 'model' in chat ? [] : await (this.#listed ??= this.list('models'));
    const body = JSON.stringify({ model: first?.id, ...chat, ...others.chat });
    // The time of a list is not that of the answer.
    const signals = [AbortSignal.timeout(timeoutMs), ...(signal === undefined ? [] : [signal])];
    const init = { method: 'POST', headers, body, signal: AbortSignal.any(signals) };
    try {
      const answer = await fetch(`${baseUrl}/chat/completions${query}`, init);
      return resultOf(answer.status, await answer.text(), 'stream' in chat && chat.stream === true);
    } catch {
      return { kind: 'lost' };
    }
  }

  /** Asks a question of its own, which is no item of the task. */
  ask(content: string, deviation?: Deviation): Promise<ChatResult> {
    return this.chat({ messages: [{ role: 'user', content }], max_tokens: 16 }, deviation);
  }

  /** The state of the request with a key in the workspace; undefined: the workspace has none. */
  async lookUp(key: string): Promise<string | undefined> {
    const response = await fetch(`${this.inputs.controlUrl}/requests?idempotencyKey=${key}`);
    const { requests }: { requests: { state: string }[] } = JSON.parse(await response.text());
    return requests[0]?.state;
  }

  record(item: TaskItem, outcome: 'served' | 'refused' | 'uncertain', idempotencyKey?: string): void {
    const line = { wish: item.id, outcome, ...(idempotencyKey !== undefined && { idempotencyKey }) };
    appendFileSync(this.inputs.record, `${JSON.stringify(line)}\n`);
  }

  /** Requests an item as a faithful caller does, and records the outcome; undefined: no model takes its image. */
  async complete(item: TaskItem): Promise<ChatResult | undefined> {
    const models = item.image === undefined ? [] : await this.list('vision-capabilities');
    const seeing = models.find(({ vision }) => vision);
    if (item.image !== undefined && seeing === undefined) return undefined;
    const key = randomUUID();
    const chat = seeing === undefined ? chatFor(item) : imageChatFor(item, seeing.id);
    const result = await this.chat(chat, { key });
    this.record(item, result.kind === 'lost' ? 'uncertain' : result.kind, key);
    return result;
  }
}

function resultOf(status: number, body: string, isStream: boolean): ChatResult {
  if (status === 200)
    return isStream && !body.includes('[DONE]') ? { kind: 'lost' } : { kind: 'served', text: body };
  try {
    const { error }: { error?: { code?: string } } = JSON.parse(body);
    return { kind: error?.code === undefined ? 'lost' : 'refused' };
  } catch {
    return { kind: 'lost' };
  }
}

export function chatFor({ text, maxTokens, stream }: TaskItem): Record<string, unknown> {
  return { messages: [{ role: 'user', content: text }], max_tokens: maxTokens, stream };
}

export function imageChatFor(item: TaskItem, model: string | undefined): Record<string, unknown> {
  const parts = [
    { type: 'text', text: item.text },
    { type: 'image_url', image_url: { url: item.image } },
  ];
  return { ...chatFor(item), model, messages: [{ role: 'user', content: parts }] };
}
