import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import {
  type Adversary,
  afterLists,
  type Answering,
  COMPLETED,
  COMPLETION,
  LISTED,
  REFUSED,
  sendError,
  sendJson,
  sendStream,
} from './adversary.ts';

const accepts: Answering = (_, response, body) => {
  if (body.includes('"stream":true')) sendStream(response);
  else sendJson(response, COMPLETION);
};

/** The third of the keys that a run has lacks the scope. */
const statusFor = (authorization = ''): number | undefined => {
  if (!/^Bearer key-of-nobody-[123]$/.test(authorization)) return 401;
  return authorization.endsWith('3') ? 403 : undefined;
};

/** Bytes without meaning, the same every time. */
const NOISE = Buffer.concat(
  [0, 1, 2, 3, 4, 5, 6, 7].map((n) => createHash('sha512').update(`${n}`).digest()),
);

function endlessly(response: ServerResponse): void {
  const piece = Buffer.alloc(1 << 20, ' ');
  const more = (): void => {
    if (!response.destroyed) response.write(piece, () => setImmediate(more));
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  more();
}

const ENDS = ['violations', 'incomplete'] as const;

/** What may listen where a service should be, each by its name: it treats every request alike, or every chat. */
export const ADVERSARIES: Readonly<Record<string, Adversary>> = {
  'accepts-everything': {
    story: 'Answers every chat with a completion, valid or not, with any key',
    ends: ['violations'],
    keeps: [...COMPLETED, 'STR-1', 'STR-2', 'STR-3', 'ERR-11', 'VER-2'],
    answers: afterLists(accepts),
  },
  'sends-who-has-no-key-to-log-in': {
    story: 'Redirects requests without a key to a login page, and serves every chat with a key',
    ends: ['violations'],
    keeps: [...COMPLETED, ...REFUSED, 'STR-1', 'STR-2', 'STR-3', 'AUTH-2', 'ERR-11', 'VER-2'],
    answers: (request, response, body) => {
      const { authorization } = request.headers;
      const status = statusFor(authorization);
      if (authorization === undefined) response.writeHead(302, { location: '/login' }).end();
      else if (status === undefined) afterLists(accepts)(request, response, body);
      else sendError(response, status);
    },
  },
  'refuses-everything': {
    story: 'Answers every request with an error object',
    ends: ['refused'],
    keeps: [],
    answers: (_, response) => sendError(response, 400),
  },
  'refuses-every-chat': {
    story: 'Lists its models, and answers every chat with an error object',
    ends: ['violations'],
    keeps: [...LISTED, ...REFUSED],
    answers: afterLists((_, response) => sendError(response, 400)),
  },
  'refuses-every-key': {
    story: 'Answers every request as if its key were unknown',
    ends: ['refused'],
    keeps: [],
    answers: (_, response) => sendError(response, 401),
  },
  'limits-every-chat': {
    story: 'Answers every chat with a rate limit error and Retry-After: 0',
    ends: ['violations', 'incomplete'],
    keeps: [...LISTED, ...REFUSED, 'ERR-5'],
    answers: afterLists((_, response) => {
      response.setHeader('retry-after', '0');
      sendError(response, 429);
    }),
  },
  'repeats-one-recording': {
    story: 'Answers every request with the same recorded completion',
    ends: ['refused'],
    keeps: [],
    answers: (_, response) => sendJson(response, COMPLETION),
  },
  'repeats-one-recorded-completion': {
    story: 'Answers every chat with the same recorded completion',
    ends: ['violations'],
    keeps: [...COMPLETED, 'ERR-11'],
    answers: afterLists((_, response) => sendJson(response, COMPLETION)),
  },
  'repeats-one-recorded-stream': {
    story: 'Answers every chat with the same recorded stream',
    ends: ['violations'],
    keeps: [
      ...LISTED,
      'SVC-1',
      'SVC-4',
      'REQ-9',
      'RES-3',
      'RES-4',
      'IDEM-3',
      'STR-1',
      'STR-2',
      'STR-3',
      'ERR-11',
    ],
    answers: afterLists((_, response) => sendStream(response)),
  },

  // The rest never gives an answer that a client could use.
  'fails-always': {
    story: 'Answers every request with status 500',
    ends: ['refused'],
    keeps: [],
    answers: (_, response) => sendError(response, 500),
  },
  'fails-every-chat': {
    story: 'Answers every chat with status 500 and a page',
    ends: ['violations'],
    keeps: LISTED,
    answers: afterLists((_, response) => {
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Internal Server Error</h1>');
    }),
  },
  'never-answers': {
    story: 'Reads every request and never answers',
    ends: ['refused'],
    keeps: [],
    answers: () => {},
  },
  'never-answers-a-chat': {
    story: 'Reads every chat and never answers',
    ends: ENDS,
    keeps: LISTED,
    answers: afterLists(() => {}),
  },
  'hangs-up-on-every-chat': {
    story: 'Closes the connection instead of answering a chat',
    ends: ENDS,
    keeps: LISTED,
    answers: afterLists((request) => request.socket.destroy()),
  },
  'breaks-off-every-stream': {
    story: 'Completes every chat, and cuts each stream short of its announced length',
    ends: ['violations'],
    keeps: [...COMPLETED, 'ERR-11'],
    answers: afterLists((_, response, body) => {
      if (!body.includes('"stream":true')) {
        sendJson(response, COMPLETION);
        return;
      }
      const events = `data: ${JSON.stringify(COMPLETION)}\n\ndata: [DONE]\n\n`;
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-length': events.length + 50 });
      response.write(events, () => setTimeout(() => response.destroy(), 5));
    }),
  },
  'never-ends-an-answer': {
    story: 'Begins every completion, and sends spaces forever',
    ends: ENDS,
    keeps: LISTED,
    answers: afterLists((_, response) => endlessly(response)),
  },
  'speaks-no-http': {
    story: 'Answers every request with bytes that are not HTTP',
    ends: ['refused'],
    keeps: [],
    answers: (request) => request.socket.end(NOISE),
  },
  'speaks-no-http-to-chats': {
    story: 'Answers every chat with bytes that are not HTTP',
    ends: ENDS,
    keeps: LISTED,
    answers: afterLists((request) => request.socket.end(NOISE)),
  },
  'completes-in-noise': {
    story: 'Answers every chat with random bytes, labelled as JSON',
    ends: ['violations'],
    keeps: LISTED,
    answers: afterLists((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(NOISE);
    }),
  },
  'completes-in-silence': {
    story: 'Answers every chat with status 200 and no body',
    ends: ['violations'],
    keeps: LISTED,
    answers: afterLists((_, response) => response.writeHead(200).end()),
  },
  'redirects-everything': {
    story: 'Redirects every request to itself',
    ends: ['refused'],
    keeps: [],
    answers: (request, response) => response.writeHead(302, { location: request.url ?? '/' }).end(),
  },
  'redirects-every-chat': {
    story: 'Redirects every chat to itself',
    ends: ENDS,
    keeps: LISTED,
    answers: afterLists((request, response) =>
      response.writeHead(307, { location: request.url ?? '/' }).end(),
    ),
  },
  'echoes-every-chat': {
    story: 'Answers every chat with the request body',
    ends: ENDS,
    // It does answer with one JSON response.
    keeps: [...LISTED, 'REQ-7'],
    answers: afterLists((_, response, body) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    }),
  },
  'floods-with-headers': {
    story: 'Answers every chat with more headers than a client accepts',
    ends: ENDS,
    keeps: LISTED,
    answers: afterLists((_, response) => {
      for (let n = 0; n < 400; n += 1) response.setHeader(`x-${n}`, 'x'.repeat(100));
      sendJson(response, COMPLETION);
    }),
  },
};
