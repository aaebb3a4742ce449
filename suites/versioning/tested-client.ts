import { randomUUID } from 'node:crypto';
import type { OpenAI } from 'tested-client';
import { type ChatBody, ENDPOINTS, HEADERS, type JsonValue } from '../../fixtures/chats/chat.ts';
import { chatDraft, smallestChat } from '../engine/inputs/provoking/chat-drafts.ts';
import { type Answer, type Draft, type Exchange, isChargeable } from '../engine/model/exchange.ts';
import { asError } from '../engine/model/ruling.ts';
import { type Sender, type Stimulus, stimulus, type Trial } from '../engine/model/stimulus.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { isMiscoded } from '../engine/reading/answers.ts';
import { jsonText } from '../engine/reading/json.ts';

/** What the tested client returned or threw. */
export type ClientResult =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | {
      readonly kind: 'threw';
      readonly name: string;
      readonly message: string;
      /** Undefined unless the client raised its API error. */
      readonly apiError: ObservedApiError | undefined;
    };

export interface ObservedApiError {
  readonly status: number | undefined;
  readonly code: string | undefined;
}

export interface ClientTrial extends Trial {
  /** Named as in the journals of earlier releases. */
  readonly sight: ClientResult;
}

interface ClientCall extends Pick<Stimulus, 'name' | 'stage'> {
  /** The same request without the client. */
  readonly counterpart: (info: TargetInfo) => Draft;
  readonly use: (client: OpenAI, info: TargetInfo) => Promise<unknown>;
  /** Present: what was not accepted of the client is sent again without it, since it may be refused for coming twice. */
  readonly again?: true;
}

function clientCall({ name, stage, counterpart, use, again }: ClientCall): Stimulus<ClientTrial> {
  return stimulus<ClientTrial, 'once'>({
    name,
    stage,
    cappedCount: 1,
    inputs: () => ({ examples: ['once'] }),
    cost: (_, info) => ({
      [isChargeable(counterpart(info)) ? 'refused' : 'reads']: 1,
      ...(again && { served: 1 }),
      counterparts: [counterpart(info)],
    }),
    send: async (_, sender, info) => {
      const accepted = await sender.sendCounterpart(counterpart(info));
      const { exchanges, failures, fetch } = fetchThrough(sender);
      const client = await openTestedClient(fetch);
      const sight = await clientResultOf(() => use(client, info));
      // The client makes an error of its own of whatever our `fetch` throws.
      for (const failure of failures) throw asError(failure);
      const [exchange] = exchanges;
      const isRefused = exchange?.outcome.kind === 'answered' && exchange.outcome.answer.status >= 400;
      if (again && isRefused) exchanges.push(await sender.send(counterpart(info)));
      return { exchanges, sight, counterpart: accepted };
    },
  });
}

export const clientModels = clientCall({
  name: 'client-models',
  stage: 'free',
  counterpart: () => ({ method: 'GET', path: ENDPOINTS.models }),
  use: async (client) => all(client.models.list()),
});

export const clientCompletion = clientCall({
  name: 'client-completion',
  stage: 'paid',
  counterpart: (info) => chatDraft(smallestChat(info)),
  use: async ({ chat }, info) => chat.completions.create({ ...paramsOf(info), stream: false }, freshKey()),
  again: true,
});

export const clientStream = clientCall({
  name: 'client-stream',
  stage: 'paid',
  counterpart: (info) => chatDraft(smallestChat(info, 'streamed')),
  use: async ({ chat }, info) =>
    all(await chat.completions.create({ ...paramsOf(info), stream: true }, freshKey())),
  again: true,
});

/** A request with a field that the client supports and the specification does not. */
export const clientRefusal = clientCall({
  name: 'client-refusal',
  stage: 'free',
  counterpart: (info) => chatDraft(smallestChat(info)),
  use: async ({ chat }, info) => chat.completions.create({ ...paramsOf(info), top_p: 1 }, freshKey()),
});

function paramsOf(info: TargetInfo) {
  const { model, messages, max_tokens }: ChatBody = smallestChat(info);
  return { model, messages: [...messages], ...(max_tokens !== undefined && { max_tokens }) };
}

/** The options of a request with a fresh Idempotency-Key (IDEM-1), which this client does not set itself. */
function freshKey() {
  return { headers: { [HEADERS.idempotencyKey]: randomUUID() } };
}

async function all(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const list: unknown[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function clientResultOf(use: () => Promise<unknown>): Promise<ClientResult> {
  let value: unknown;
  try {
    value = await use();
  } catch (error) {
    const { name, message } = asError(error);
    const { APIError } = await import('tested-client');
    if (!(error instanceof APIError)) return { kind: 'threw', name, message, apiError: undefined };
    const apiError = {
      status: typeof error.status === 'number' ? error.status : undefined,
      code: textOf(error.code),
    };
    return { kind: 'threw', name: error.constructor.name, message, apiError };
  }
  // As plain JSON, without the classes of the client. What fails from here on is ours.
  const plain: JsonValue = JSON.parse(jsonText(value ?? null));
  return { kind: 'value', value: plain };
}

/** An item of the answer, which may have another type than the client declares. */
function textOf(item: unknown): string | undefined {
  if (item === undefined || item === null) return undefined;
  return typeof item === 'string' ? item : jsonText(item);
}

/** A placeholder for the base URL of the target, which only the sender knows. */
const CLIENT_BASE_URL = 'http://target.invalid/v1';

/**
 * The tested client, configured as the specification says: 120000 ms, no retry. The sender behind `fetch` holds the key. It
 * reads nothing from the environment.
 */
async function openTestedClient(fetch: typeof globalThis.fetch): Promise<OpenAI> {
  const { OpenAI: Client } = await import('tested-client');
  return new Client({
    baseURL: CLIENT_BASE_URL,
    apiKey: 'held-by-the-sender',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    timeout: 120_000,
    maxRetries: 0,
    logLevel: 'off',
    fetch,
  });
}

/**
 * A `fetch` that sends through a sender, so that its caps, keys and record apply to a client; what it exchanged, and what
 * our own code threw. It rejects with a TypeError, as any `fetch` does, when no answer arrived.
 */
function fetchThrough(sender: Sender) {
  const [exchanges, failures]: [Exchange[], unknown[]] = [[], []];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    let reason: string;
    try {
      const exchange = await sender.send(await draftOf(new Request(input, init), sender));
      exchanges.push(exchange);
      if (exchange.outcome.kind === 'answered') return responseOf(exchange.outcome.answer);
      ({ reason } = exchange.outcome);
    } catch (error) {
      failures.push(error);
      throw error;
    }
    throw new TypeError(`fetch failed: ${reason}`);
  };
  return { exchanges, failures, fetch };
}

const SENDERS_OWN = new Set<string>([
  HEADERS.authorization,
  HEADERS.idempotencyKey,
  'content-length',
  'host',
]);

async function draftOf(request: Request, { isSecure }: Sender): Promise<Draft> {
  const own = [...request.headers].filter(([name]) => !SENDERS_OWN.has(name));
  const headers = {
    // What the `fetch` of Node adds to the headers of its caller.
    'accept-language': '*',
    'sec-fetch-mode': 'cors',
    'accept-encoding': isSecure ? 'br, gzip, deflate' : 'gzip, deflate',
    ...Object.fromEntries(own),
  };
  const draft = { path: request.url.slice(CLIENT_BASE_URL.length), headers } as const;
  if (request.method === 'GET') return { ...draft, method: 'GET', idempotencyKey: 'none' };
  const body = new Uint8Array(await request.arrayBuffer());
  const idempotencyKey = request.headers.has(HEADERS.idempotencyKey) ? 'fresh' : 'none';
  return { ...draft, method: 'POST', body, idempotencyKey };
}

/** Headers of the transport, which describe the bytes on the wire. */
const TRANSPORTS_OWN = /^(content-length|content-encoding|transfer-encoding|connection|keep-alive)$/;

function responseOf(answer: Answer): Response {
  const { status, body } = answer;
  const headers = Object.entries(answer.headers).filter(([name]) => !TRANSPORTS_OWN.test(name));
  // Response throws if one of these has a body.
  if (status === 204 || status === 205 || status === 304) return new Response(null, { status, headers });
  return new Response(isMiscoded(answer) ? brokenBody() : Buffer.from(body), { status, headers });
}

/** Ends as that of a `fetch` does whose decoder fails. */
function brokenBody(): ReadableStream<Uint8Array> {
  const cause = new Error('the body is not in the content coding that the headers name');
  return new ReadableStream({ start: (body) => body.error(new TypeError('terminated', { cause })) });
}
