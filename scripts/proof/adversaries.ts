import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import type { Expected, RunningService } from './proof-run.ts';
import { serveOnLoopback } from './second-service/start-second-service.ts';

/** Answers one request, whose whole body has arrived; or leaves it unanswered. */
type Answering = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Something that listens where a service should be. */
export interface Adversary extends Pick<Expected, 'ends'> {
  /** The clauses that it keeps, as far as a client can see. A pass of any other clause is a false pass. */
  readonly keeps: readonly ClauseId[];
  readonly answers: Answering;
}

/** Well-formed refusals, streams, and completions of either kind or whole ones keep these clauses. */
const REFUSED: readonly ClauseId[] = ['ERR-1', 'ERR-2', 'ERR-10'];
const STREAMED: readonly ClauseId[] = ['STR-1', 'STR-2', 'STR-3'];
const SERVED: readonly ClauseId[] = ['SVC-1', 'SVC-4', 'REQ-9', 'RES-3', 'RES-4', 'IDEM-3', 'ERR-11'];
const COMPLETED: readonly ClauseId[] = [...SERVED, 'REQ-7', 'RES-1', 'RES-2'];
const LISTED: readonly ClauseId[] = ['SVC-2', 'SVC-3', 'MOD-1', 'VIS-1', 'VER-1'];

/** An adversary with one answer to every request: a run ends in the preflight. */
const toEveryRequest = (answers: Answering): Adversary => ({ ends: ['refused'], keeps: [], answers });

/** An adversary with one answer to every chat. It lists models to anyone, so that a run gets as far as chats. */
const toEveryChat = (answers: Answering, alsoKeeps: readonly ClauseId[] = []): Adversary => ({
  ends: ['violations'],
  keeps: [...LISTED, ...alsoKeeps],
  answers: afterLists(answers),
});

/** The same, but a run may learn too little from it, and end incomplete. */
const toEveryChatInVain = (...of: Parameters<typeof toEveryChat>): Adversary => ({
  ...toEveryChat(...of),
  ends: ['violations', 'incomplete'],
});

/** What both GET endpoints say. */
const MODELS = [
  { id: 'm-1', context_length: 1024, vision: false },
  { id: 'm-2', context_length: 4096, vision: true },
];

/** Answers the two GET endpoints, and leaves everything else to `answers`. */
function afterLists(answers: Answering): Answering {
  return (request, response, body) => {
    const isList = /^GET \/v1\/(?:models|vision-capabilities)$/.test(`${request.method} ${request.url}`);
    if (isList) sendJson(response, { object: 'list', data: MODELS });
    else answers(request, response, body);
  };
}

const USAGE = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
const COMPLETION = {
  id: 'c-1',
  object: 'chat.completion',
  model: 'm-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
  usage: USAGE,
};
const CHUNK = { choices: [{ index: 0, delta: { content: 'Yes' }, finish_reason: 'stop' }], usage: USAGE };
const STREAM = `data: ${JSON.stringify(CHUNK)}\n\ndata: [DONE]\n\n`;

function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sendStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(STREAM);
}

let errors = 0;

/** A well-formed error object, each with its own request ID. */
function sendError(response: ServerResponse, status: number): void {
  errors += 1;
  sendJson(response, { error: { code: 'no', message: 'No.', request_id: `r-${errors}` } }, status);
}

const refuse =
  (status: number): Answering =>
  (_, response) =>
    sendError(response, status);

const serve: Answering = (_, response, body) => {
  if (body.includes('"stream":true')) sendStream(response);
  else sendJson(response, COMPLETION);
};

/** The third of the keys of a run lacks the scope. */
const KEYS = { primary: 'key-of-nobody-1', second: 'key-of-nobody-2', unscoped: 'key-of-nobody-3' };

const redirectWithoutKey: Answering = (request, response, body) => {
  const { authorization } = request.headers;
  if (authorization === undefined) response.writeHead(302, { location: '/login' }).end();
  else if (!/^Bearer key-of-nobody-[123]$/.test(authorization)) sendError(response, 401);
  else if (authorization.endsWith('3')) sendError(response, 403);
  else afterLists(serve)(request, response, body);
};

/** Bytes without meaning, the same every time. */
const NOISE = createHash('shake256', { outputLength: 512 }).digest();

const sendBody =
  (bodyOf: (body: string) => string | Buffer): Answering =>
  (_, response, body) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(bodyOf(body));

/** What may listen where a service should be, each by its name. */
export const ADVERSARIES: Readonly<Record<string, Adversary>> = {
  'accepts-everything': toEveryChat(serve, [...COMPLETED, ...STREAMED, 'VER-2']),
  'sends-who-has-no-key-to-log-in': {
    ...toEveryChat(serve, [...COMPLETED, ...REFUSED, ...STREAMED, 'AUTH-2', 'VER-2']),
    answers: redirectWithoutKey,
  },
  'refuses-everything': toEveryRequest(refuse(400)),
  'refuses-every-chat': toEveryChat(refuse(400), REFUSED),
  'limits-every-chat': toEveryChatInVain(
    (_, response) => {
      response.setHeader('retry-after', '0');
      sendError(response, 429);
    },
    [...REFUSED, 'ERR-5'],
  ),
  'repeats-one-recorded-completion': toEveryChat((_, response) => sendJson(response, COMPLETION), COMPLETED),
  'repeats-one-recorded-stream': toEveryChat((_, response) => sendStream(response), [...SERVED, ...STREAMED]),
  // The rest never gives an answer that a client could use.
  'fails-every-chat': toEveryChat((_, response) =>
    response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Internal Server Error</h1>'),
  ),
  'never-answers': toEveryRequest(() => {}),
  'never-answers-a-chat': toEveryChatInVain(() => {}),
  'hangs-up-on-every-chat': toEveryChatInVain((request) => request.socket.destroy()),
  'speaks-no-http': toEveryRequest((request) => request.socket.end(NOISE)),
  'completes-in-noise': toEveryChat(sendBody(() => NOISE)),
  'redirects-every-chat': toEveryChatInVain((request, response) =>
    response.writeHead(307, { location: request.url ?? '/' }).end(),
  ),
  // It does answer with one JSON response.
  'echoes-every-chat': toEveryChatInVain(
    sendBody((body) => body),
    ['REQ-7'],
  ),
};

export async function startAdversary(answers: Answering): Promise<RunningService> {
  const { origin, close } = await serveOnLoopback((request, response, body) =>
    answers(request, response, String(body)),
  );
  return { baseUrl: `${origin}/v1`, keys: KEYS, close };
}
