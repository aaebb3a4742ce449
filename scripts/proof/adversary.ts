import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import type { RunningService } from './proof-run.ts';
import type { ProofOutcome } from './world.ts';

/** Answers one request, whose whole body has arrived; or leaves it unanswered. */
export type Answering = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Something that listens where a service should be. */
export interface Adversary {
  /** How a run against it may end. */
  readonly ends: readonly ProofOutcome[];
  /** The clauses that it keeps, as far as a client can see. A pass of any other clause is a false pass. */
  readonly keeps: readonly ClauseId[];
  readonly answers: Answering;
}

/** An adversary with one answer to every request: a run ends in the preflight. */
export function toEveryRequest(answers: Answering): Adversary {
  return { ends: ['refused'], keeps: [], answers };
}

/** An adversary with one answer to every chat. It lists models to anyone, so that a run gets as far as chats. */
export function toEveryChat(answers: Answering, alsoKeeps: readonly ClauseId[] = []): Adversary {
  const keeps: readonly ClauseId[] = ['SVC-2', 'SVC-3', 'MOD-1', 'VIS-1', 'VER-1', ...alsoKeeps];
  return { ends: ['violations'], keeps, answers: afterLists(answers) };
}

/** The same, but a run may learn too little from it, and end incomplete. */
export function toEveryChatInVain(...of: Parameters<typeof toEveryChat>): Adversary {
  return { ...toEveryChat(...of), ends: ['violations', 'incomplete'] };
}

/** Answers the two GET endpoints, and leaves everything else to `answers`. */
export function afterLists(answers: Answering): Answering {
  return (request, response, body) => {
    if (request.method === 'GET' && request.url === '/v1/models') sendJson(response, MODELS);
    else if (request.method === 'GET' && request.url === '/v1/vision-capabilities')
      sendJson(response, VISION);
    else answers(request, response, body);
  };
}

const MODELS = {
  object: 'list',
  data: [
    { id: 'm-1', context_length: 1024 },
    { id: 'm-2', context_length: 4096 },
  ],
};
const VISION = {
  data: [
    { id: 'm-1', vision: false },
    { id: 'm-2', vision: true },
  ],
};

/** The clauses that well-formed refusals keep. */
export const REFUSED: readonly ClauseId[] = ['ERR-1', 'ERR-2', 'ERR-10'];

/** The clauses that well-formed streams keep, and those that well-formed completions keep too. */
export const STREAMED: readonly ClauseId[] = ['STR-1', 'STR-2', 'STR-3'];
export const SERVED: readonly ClauseId[] = ['SVC-1', 'SVC-4', 'REQ-9', 'RES-3', 'RES-4', 'IDEM-3', 'ERR-11'];
export const COMPLETED: readonly ClauseId[] = [...SERVED, 'REQ-7', 'RES-1', 'RES-2'];

export const COMPLETION = {
  id: 'c-1',
  object: 'chat.completion',
  model: 'm-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
};

const STREAM =
  'data: {"choices":[{"index":0,"delta":{"content":"Yes"},"finish_reason":"stop"}],' +
  '"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}\n\ndata: [DONE]\n\n';

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export function sendStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(STREAM);
}

let errors = 0;

/** A well-formed error object, each with its own request ID. */
export function sendError(response: ServerResponse, status: number): void {
  errors += 1;
  sendJson(response, { error: { code: 'no', message: 'No.', request_id: `r-${errors}` } }, status);
}

const KEYS = { primary: 'key-of-nobody-1', second: 'key-of-nobody-2', unscoped: 'key-of-nobody-3' };

/** Listens on a free port of the loopback address. */
export async function startAdversary(answers: Answering): Promise<RunningService> {
  const server = createServer((request, response) => {
    let body = '';
    // A client that gives up resets the connection.
    request.on('error', () => {});
    response.on('error', () => {});
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => answers(request, response, body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    keys: KEYS,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
