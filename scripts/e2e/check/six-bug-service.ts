import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** The keys of the service: the last one lacks the inference scope. */
export const SIX_BUG_KEYS = {
  primary: 'six-4f1cA09vTq7RmZ2pLk8WxYb3',
  unscoped: 'six-9dKe27HsUj5GoNn1CtXq6Pz0',
} as const;

const MODELS = ['swift', 'steady'];
const ROLES = new Set(['system', 'user', 'assistant']);
const CONTEXT_TOKENS = 4096;
const MOST_AT_ONCE = 6;
const MODEL_MS = 250;

/**
 * A service written by itself, from the specification alone, with six ordinary bugs: it strips unknown fields (REQ-6,
 * SVC-5), passes tokens through (STR-2), asks nobody for the scope (AUTH-2), limits its rate in plain text (ERR-1),
 * serves models that it does not list (SVC-7, ERR-3), and takes any temperature (REQ-3).
 */
export async function startSixBugService(): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  const load = { running: 0 };
  const server = createServer((request, response) => void answer(request, response, load));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${portOf(server)}/v1`, close: () => closed(server) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  load: { running: number },
): Promise<void> {
  const body = await readAll(request);
  if (request.url !== '/v1/chat/completions' || request.method !== 'POST')
    return answerRead(request, response);
  if (!isKnown(request)) return refuse(response, 401, 'invalid_key', 'The key is unknown.');
  const chat = chatIn(body);
  if (typeof chat === 'string') return refuse(response, 400, 'invalid_request', chat);
  if (tokensIn(chat) + (chat.max_tokens ?? 64) > CONTEXT_TOKENS)
    return refuse(response, 400, 'token_limit', 'Reduce the input or the output.');
  // The limiter of a framework answers for itself.
  if (load.running >= MOST_AT_ONCE) return void response.writeHead(429).end('Too many requests');
  load.running += 1;
  await complete(chat, response).finally(() => (load.running -= 1));
}

interface Chat {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly max_tokens?: number;
  readonly stream?: boolean;
}

function portOf(server: Server): number {
  const address = server.address();
  return isObject(address) ? Number(address.port) : 0;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => void server.close(() => resolve()));
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Knows the key, and never looks at its scope. */
function isKnown({ headers }: IncomingMessage): boolean {
  return Object.values(SIX_BUG_KEYS).some((key) => headers.authorization === `Bearer ${key}`);
}

function answerRead(request: IncomingMessage, response: ServerResponse): void {
  if (!isKnown(request)) return refuse(response, 401, 'invalid_key', 'The key is unknown.');
  if (request.method === 'GET' && request.url === '/v1/models')
    return send(response, 200, { data: MODELS.map((id) => ({ id, object: 'model' })) });
  if (request.method === 'GET' && request.url === '/v1/vision-capabilities')
    return send(response, 200, { data: MODELS.map((id) => ({ id, vision: false })) });
  return refuse(response, 404, 'not_found', 'There is no such path.');
}

/** The five fields, whatever else is there; or what is wrong with them. */
function chatIn(body: string): Chat | string {
  let read: unknown;
  try {
    read = JSON.parse(body);
  } catch {
    return 'The body is not JSON.';
  }
  if (!isObject(read)) return 'The body is not an object.';
  const { model, messages, max_tokens, stream } = read;
  if (typeof model !== 'string') return 'model is a string.';
  if (!Array.isArray(messages) || messages.length === 0) return 'messages is a list of messages.';
  if (!messages.every(isMessage)) return 'A message has a role and a content.';
  if (max_tokens !== undefined && (!Number.isInteger(max_tokens) || Number(max_tokens) < 1))
    return 'max_tokens is a whole number.';
  if (stream !== undefined && typeof stream !== 'boolean') return 'stream is true or false.';
  return {
    model,
    messages,
    ...(max_tokens !== undefined && { max_tokens: Number(max_tokens) }),
    ...(stream !== undefined && { stream }),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMessage(message: unknown): message is Chat['messages'][number] {
  if (!isObject(message)) return false;
  const { role, content, ...others } = message;
  if (typeof role !== 'string' || !ROLES.has(role) || typeof content !== 'string') return false;
  return Object.keys(others).length === 0;
}

function tokensIn({ messages }: Chat): number {
  return Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 4);
}

async function complete(chat: Chat, response: ServerResponse): Promise<void> {
  const most = Math.min(chat.max_tokens ?? 64, 64);
  const words = Array.from({ length: most }, (_, i) => (i === 0 ? 'One' : ` and ${i + 1}`));
  const usage = { prompt_tokens: tokensIn(chat), completion_tokens: most };
  const finish_reason = 'stop';
  const head = { id: randomUUID(), model: chat.model };
  const pace = chat.model === 'steady' ? MODEL_MS / most : 0;
  if (chat.stream !== true) {
    await wait(pace * most);
    const message = { role: 'assistant', content: words.join('') };
    return send(response, 200, { ...head, choices: [{ index: 0, message, finish_reason }], usage });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const emit = (event: object): void =>
    void response.write(
      `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...event })}\n\n`,
    );
  for (const content of words) {
    emit({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
    if (pace > 0) await wait(pace);
  }
  emit({ choices: [{ index: 0, delta: {}, finish_reason }], usage });
  response.end('data: [DONE]\n\n');
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  send(response, status, { error: { code, message, request_id: randomUUID() } });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
