import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Adversary } from './adversary.ts';
import { behindLists, COMPLETION, sendError, sendJson } from './canned.ts';
import { COMPLETED, LISTED } from './kept-clauses.ts';

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

/** Those who give no answer that anybody could read. */
export const BROKEN_ADVERSARIES = {
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
  'breaks-off-every-stream': {
    story: 'Completes every chat, and cuts the connection before a stream is at the end that was announced',
    ends: ['violations'],
    keeps: [...COMPLETED, 'ERR-11'],
    answers: behindLists((_, response, body) => {
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
    // One response in JSON is what came.
    keeps: [...LISTED, 'REQ-7'],
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
