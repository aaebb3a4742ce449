import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { TaskItem } from '../../caller/scenarios/scenario.ts';
import type { CallerInputs } from '../../caller/caller-inputs.ts';

/** What a request came to, as a client sees it. */
export type Reply =
  | { readonly kind: 'served'; readonly text: string }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'lost' };

/** How a request is to differ from what a faithful caller sends. */
export interface Departure {
  /** Null: none is sent. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly query?: string;
  readonly timeoutMs?: number;
}

/** Sends an HTTP request, and resolves with status and body; rejects where no whole answer comes. */
export type Transport = (request: {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
}) => Promise<{ readonly status: number; readonly body: string }>;

export const byFetch: Transport = async ({ method, url, headers, body, timeoutMs }) => {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method, headers, signal, ...(body !== undefined && { body }) });
  return { status: response.status, body: await response.text() };
};

function codeIn(text: string): string | undefined {
  try {
    const { error }: { error?: { code?: string } } = JSON.parse(text);
    return error?.code;
  } catch {
    return undefined;
  }
}

/** A small client for callers under proof: it does what it is told, and nothing by itself. */
export class ProofClient {
  readonly place: CallerInputs;
  readonly #transport: Transport;

  constructor(place: CallerInputs, transport: Transport = byFetch) {
    this.place = place;
    this.#transport = transport;
  }

  /** The IDs that the models endpoint gives. */
  async models(): Promise<readonly [string, ...string[]]> {
    const { data }: { data: { id: string }[] } = JSON.parse(await this.get('/models'));
    const [first = '', ...others] = data.map(({ id }) => id);
    return [first, ...others];
  }

  /** Which models take images, as the vision endpoint says. */
  async vision(): Promise<readonly { readonly id: string; readonly vision: boolean }[]> {
    const { data }: { data: { id: string; vision: boolean }[] } = JSON.parse(
      await this.get('/vision-capabilities'),
    );
    return data;
  }

  async get(path: string): Promise<string> {
    const headers = { authorization: `Bearer ${this.place.apiKey}` };
    const url = `${this.place.baseUrl}${path}`;
    return (await this.#transport({ method: 'GET', url, headers, timeoutMs: this.place.timeoutMs })).body;
  }

  /** Asks for a completion with a fresh key, but for how it is to depart from that. */
  async chat(body: object, departure: Departure = {}): Promise<Reply> {
    const { place } = this;
    const { key = randomUUID(), baseUrl = place.baseUrl, apiKey = place.apiKey, query = '' } = departure;
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...(key !== null && { 'idempotency-key': key }),
      ...departure.headers,
    };
    try {
      const answer = await this.#transport({
        method: 'POST',
        url: `${baseUrl}/chat/completions${query}`,
        headers,
        body: JSON.stringify(body),
        timeoutMs: departure.timeoutMs ?? place.timeoutMs,
      });
      return replyOf(answer, 'stream' in body && body.stream === true);
    } catch {
      return { kind: 'lost' };
    }
  }

  /** What the workspace says of the request with a key; undefined: nothing. */
  async look(key: string): Promise<string | undefined> {
    const answer = await fetch(`${this.place.controlUrl}/requests?idempotencyKey=${key}`);
    const { requests }: { requests: { state: string }[] } = JSON.parse(await answer.text());
    return requests[0]?.state;
  }

  /** Writes down what came of a wish. */
  record(wish: TaskItem, outcome: 'served' | 'refused' | 'uncertain', idempotencyKey?: string): void {
    const line = { wish: wish.id, outcome, ...(idempotencyKey !== undefined && { idempotencyKey }) };
    appendFileSync(this.place.record, `${JSON.stringify(line)}\n`);
  }
}

function replyOf({ status, body }: { status: number; body: string }, streams: boolean): Reply {
  if (status === 200)
    return streams && !body.includes('[DONE]') ? { kind: 'lost' } : { kind: 'served', text: body };
  const code = codeIn(body);
  return code === undefined ? { kind: 'lost' } : { kind: 'refused', code };
}

/** The request for a wish. */
export function chatFor({ text, maxTokens, stream }: TaskItem, model: string): Record<string, unknown> {
  return { model, messages: [{ role: 'user', content: text }], max_tokens: maxTokens, stream };
}

/** The same with the image of the wish. */
export function imageChatFor(wish: TaskItem, model: string): Record<string, unknown> {
  const parts = [
    { type: 'text', text: wish.text },
    { type: 'image_url', image_url: { url: wish.image } },
  ];
  return { ...chatFor(wish, model), messages: [{ role: 'user', content: parts }] };
}

/** Does something for each wish, so many at once. */
export async function pooled(
  wishes: readonly TaskItem[],
  width: number,
  each: (wish: TaskItem) => Promise<unknown>,
): Promise<void> {
  const queue = wishes.values();
  const worker = async (): Promise<void> => {
    for (const wish of queue) await each(wish);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
