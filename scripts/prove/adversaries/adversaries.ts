import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { ClauseId } from '../../../fixtures/clauses.ts';
import type { Adversary, Answering } from './adversary.ts';
import { behindLists, COMPLETION, sendError, sendJson, sendStream } from './canned.ts';

/** What the lists in front of an adversary do keep; the tested client reads them as well. */
const LISTED: readonly ClauseId[] = ['SVC-2', 'SVC-3', 'MOD-1', 'VIS-1', 'VER-1', 'VER-2'];
const REFUSED: readonly ClauseId[] = ['ERR-1', 'ERR-2', 'ERR-10'];
const COMPLETED: readonly ClauseId[] = [
  ...LISTED,
  'SVC-1',
  'SVC-4',
  'MOD-2',
  'REQ-7',
  'REQ-9',
  'RES-1',
  'RES-2',
  'RES-3',
  'RES-4',
  'IDEM-3',
];

const accepts: Answering = (_, response, body) => {
  if (body.includes('"stream":true')) sendStream(response);
  else sendJson(response, COMPLETION);
};

/** Bytes that look like nothing, the same every time. */
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

/** Each by its name: with everything, or with every completion behind lists that are in order. */
export const ADVERSARIES = {
  'accepts-everything': {
    story: 'Answers every chat with a completion, right or wrong, whoever asks',
    ends: ['violations'],
    keeps: [...COMPLETED, 'STR-1', 'STR-3', 'ERR-11'],
    answers: behindLists(accepts),
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
    answers: behindLists((_, response) => sendError(response, 400)),
  },
  'refuses-every-key': {
    story: 'Answers every request as if its key were unknown',
    ends: ['refused'],
    keeps: [],
    answers: (_, response) => sendError(response, 401),
  },
  'limits-every-chat': {
    story: 'Answers every chat with a rate limit error that asks for no time',
    ends: ENDS,
    keeps: [...LISTED, ...REFUSED, 'ERR-5'],
    answers: behindLists((_, response) => {
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
    answers: behindLists((_, response) => sendJson(response, COMPLETION)),
  },
  'repeats-one-recorded-stream': {
    story: 'Answers every chat with the same recorded stream',
    ends: ['violations'],
    keeps: [
      ...LISTED,
      'SVC-1',
      'SVC-4',
      'MOD-2',
      'REQ-9',
      'RES-3',
      'RES-4',
      'IDEM-3',
      'STR-1',
      'STR-3',
      'ERR-11',
    ],
    answers: behindLists((_, response) => sendStream(response)),
  },
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
    answers: behindLists((_, response) => {
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Internal Server Error</h1>');
    }),
  },
  'never-answers': {
    story: 'Takes every request, and answers none',
    ends: ['refused'],
    keeps: [],
    answers: () => {},
  },
  'never-answers-a-chat': {
    story: 'Takes every chat, and answers none',
    ends: ENDS,
    keeps: LISTED,
    answers: behindLists(() => {}),
  },
  'hangs-up-on-every-chat': {
    story: 'Closes the connection in place of every completion',
    ends: ENDS,
    keeps: LISTED,
    answers: behindLists((request) => request.socket.destroy()),
  },
  'never-ends-an-answer': {
    story: 'Begins every completion, and sends spaces for ever',
    ends: ENDS,
    keeps: LISTED,
    answers: behindLists((_, response) => endlessly(response)),
  },
  'speaks-no-http': {
    story: 'Answers every request with bytes that are no HTTP',
    ends: ['refused'],
    keeps: [],
    answers: (request) => request.socket.end(NOISE),
  },
  'speaks-no-http-to-chats': {
    story: 'Answers every chat with bytes that are no HTTP',
    ends: ENDS,
    keeps: LISTED,
    answers: behindLists((request) => request.socket.end(NOISE)),
  },
  'completes-in-noise': {
    story: 'Answers every chat with bytes that are no text, and calls them JSON',
    ends: ['violations'],
    keeps: LISTED,
    answers: behindLists((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(NOISE);
    }),
  },
  'completes-in-silence': {
    story: 'Answers every chat with status 200 and no body',
    ends: ['violations'],
    keeps: LISTED,
    answers: behindLists((_, response) => response.writeHead(200).end()),
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
    answers: behindLists((request, response) =>
      response.writeHead(307, { location: request.url ?? '/' }).end(),
    ),
  },
  'echoes-every-chat': {
    story: 'Answers every chat with what was sent',
    ends: ENDS,
    keeps: LISTED,
    answers: behindLists((_, response, body) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    }),
  },
  'floods-with-headers': {
    story: 'Answers every chat with more headers than a client reads',
    ends: ENDS,
    keeps: LISTED,
    answers: behindLists((_, response) => {
      for (let n = 0; n < 400; n += 1) response.setHeader(`x-${n}`, 'x'.repeat(100));
      sendJson(response, COMPLETION);
    }),
  },
} as const satisfies Readonly<Record<string, Adversary>>;
