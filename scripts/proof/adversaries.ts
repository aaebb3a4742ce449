import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  type Adversary,
  afterLists,
  type Answering,
  COMPLETED,
  COMPLETION,
  REFUSED,
  sendError,
  sendJson,
  sendStream,
  SERVED,
  STREAMED,
  toEveryChat,
  toEveryChatInVain,
  toEveryRequest,
} from './adversary.ts';

const serve: Answering = (_, response, body) => {
  if (body.includes('"stream":true')) sendStream(response);
  else sendJson(response, COMPLETION);
};

const redirectsWithoutKey: Answering = (request, response, body) => {
  const { authorization } = request.headers;
  const status = refusalStatus(authorization);
  if (authorization === undefined) response.writeHead(302, { location: '/login' }).end();
  else if (status === undefined) afterLists(serve)(request, response, body);
  else sendError(response, status);
};

/** The third of the keys of a run lacks the scope. */
function refusalStatus(authorization = ''): number | undefined {
  if (!/^Bearer key-of-nobody-[123]$/.test(authorization)) return 401;
  return authorization.endsWith('3') ? 403 : undefined;
}

const cutStreams: Answering = (_, response, body) => {
  if (!body.includes('"stream":true')) {
    sendJson(response, COMPLETION);
    return;
  }
  const events = `data: ${JSON.stringify(COMPLETION)}\n\ndata: [DONE]\n\n`;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': events.length + 50 });
  response.write(events, () => setTimeout(() => response.destroy(), 5));
};

const redirectToItself =
  (status: number): Answering =>
  (request, response) =>
    response.writeHead(status, { location: request.url ?? '/' }).end();

/** Bytes without meaning, the same every time. */
const NOISE = Buffer.concat(
  [0, 1, 2, 3, 4, 5, 6, 7].map((n) => createHash('sha512').update(`${n}`).digest()),
);

const noise: Answering = (request) => request.socket.end(NOISE);

function sendForever(response: ServerResponse): void {
  const piece = Buffer.alloc(1 << 20, ' ');
  const more = (): void => {
    if (!response.destroyed) response.write(piece, () => setImmediate(more));
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  more();
}

/** What may listen where a service should be, each by its name. */
export const ADVERSARIES: Readonly<Record<string, Adversary>> = {
  'accepts-everything': toEveryChat(serve, [...COMPLETED, ...STREAMED, 'VER-2']),
  'sends-who-has-no-key-to-log-in': {
    ...toEveryChat(serve, [...COMPLETED, ...REFUSED, ...STREAMED, 'AUTH-2', 'VER-2']),
    answers: redirectsWithoutKey,
  },
  'refuses-everything': toEveryRequest((_, response) => sendError(response, 400)),
  'refuses-every-chat': toEveryChat((_, response) => sendError(response, 400), REFUSED),
  'refuses-every-key': toEveryRequest((_, response) => sendError(response, 401)),
  'limits-every-chat': toEveryChatInVain(
    (_, response) => {
      response.setHeader('retry-after', '0');
      sendError(response, 429);
    },
    [...REFUSED, 'ERR-5'],
  ),
  'repeats-one-recording': {
    ...toEveryRequest((_, response) => sendJson(response, COMPLETION)),
    // It answers a GET of the vision endpoint; no chat is sent without a model.
    ends: ['violations'],
    keeps: ['VIS-1'],
  },
  'repeats-one-recorded-completion': toEveryChat((_, response) => sendJson(response, COMPLETION), COMPLETED),
  'repeats-one-recorded-stream': toEveryChat((_, response) => sendStream(response), [...SERVED, ...STREAMED]),
  // The rest never gives an answer that a client could use.
  'fails-always': toEveryRequest((_, response) => sendError(response, 500)),
  'fails-every-chat': toEveryChat((_, response) => {
    response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Internal Server Error</h1>');
  }),
  'never-answers': toEveryRequest(() => {}),
  'never-answers-a-chat': toEveryChatInVain(() => {}),
  'hangs-up-on-every-chat': toEveryChatInVain((request) => request.socket.destroy()),
  'breaks-off-every-stream': toEveryChat(cutStreams, COMPLETED),
  'never-ends-an-answer': toEveryChatInVain((_, response) => sendForever(response)),
  'speaks-no-http': toEveryRequest(noise),
  'speaks-no-http-to-chats': toEveryChatInVain(noise),
  'completes-in-noise': toEveryChat((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(NOISE),
  ),
  'completes-in-silence': toEveryChat((_, response) => response.writeHead(200).end()),
  'redirects-everything': toEveryRequest(redirectToItself(302)),
  'redirects-every-chat': toEveryChatInVain(redirectToItself(307)),
  // It does answer with one JSON response.
  'echoes-every-chat': toEveryChatInVain(
    (_, response, body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    ['REQ-7'],
  ),
  'floods-with-headers': toEveryChatInVain((_, response) => {
    for (let n = 0; n < 400; n += 1) response.setHeader(`x-${n}`, 'x'.repeat(100));
    sendJson(response, COMPLETION);
  }),
};
