import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { request as undiciRequest } from 'undici';
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

/** The request for a wish, with its image where a model takes it; undefined: none does. */
async function requestFor(client: ProofClient, wish: TaskItem, model: string): Promise<object | undefined> {
  if (wish.image === undefined) return chatFor(wish, model);
  const seeing = (await client.vision()).find(({ vision }) => vision);
  return seeing && imageChatFor(wish, seeing.id);
}

/** Asks for one wish, and writes down what came of it. */
export async function askForWish(
  client: ProofClient,
  wish: TaskItem,
  model: string,
): Promise<Reply | undefined> {
  const request = await requestFor(client, wish, model);
  if (request === undefined) return undefined;
  const key = randomUUID();
  const reply = await client.chat(request, { key });
  client.record(wish, reply.kind === 'lost' ? 'uncertain' : reply.kind, key);
  return reply;
}

/** node:http, on connections that are kept. */
export function byNodeHttp(): { readonly send: Transport; readonly close: () => void } {
  const agent = new Agent({ keepAlive: true });
  const send: Transport = ({ method, url, headers, body, timeoutMs }) => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
    const sent = httpRequest(url, { method, headers: { ...headers }, agent });
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error('timeout')));
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    sent.end(body);
    return promise;
  };
  return { send, close: () => agent.destroy() };
}

export const byUndici: Transport = async ({ method, url, headers, body, timeoutMs }) => {
  const { statusCode, body: answer } = await undiciRequest(url, {
    method: method === 'GET' ? 'GET' : 'POST',
    headers: { ...headers },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body !== undefined && { body }),
  });
  return { status: statusCode, body: await answer.text() };
};

/** A socket of its own for each request, and bytes written by hand. */
export const bySocket: Transport = ({ method, url, headers, body = '', timeoutMs }) => {
  const { hostname, port, pathname, host } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const socket = connect(Number(port), hostname);
  const all = { host, connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${pathname} HTTP/1.1\r\n${head.join('')}\r\n${body}`);
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('timeout')));
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.on('error', reject);
  socket.on('close', () => {
    const end = text.indexOf('\r\n\r\n');
    const length = Number(/^content-length: (\d+)/im.exec(text)?.[1]);
    const answer = text.slice(end + 4);
    if (end === -1 || Buffer.byteLength(answer) < length) reject(new Error('cut'));
    else resolve({ status: Number(text.slice(9, 12)), body: answer });
  });
  return promise;
};
