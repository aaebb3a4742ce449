import type { Adversary, Answering } from './adversary.ts';
import { behindLists, COMPLETION, sendError, sendJson, sendStream } from './canned.ts';
import { COMPLETED, LISTED, REFUSED } from './kept-clauses.ts';

const accepts: Answering = (_, response, body) => {
  if (body.includes('"stream":true')) sendStream(response);
  else sendJson(response, COMPLETION);
};

/** The third of the keys that a run has lacks the scope. */
const statusFor = (authorization = ''): number | undefined => {
  if (!/^Bearer key-of-nobody-[123]$/.test(authorization)) return 401;
  return authorization.endsWith('3') ? 403 : undefined;
};

/** Those who say the same to everybody, in good order. */
export const STEADY_ADVERSARIES = {
  'accepts-everything': {
    story: 'Answers every chat with a completion, right or wrong, whoever asks',
    ends: ['violations'],
    keeps: [...COMPLETED, 'STR-1', 'STR-2', 'STR-3', 'ERR-11', 'VER-2'],
    answers: behindLists(accepts),
  },
  'sends-who-has-no-key-to-log-in': {
    story: 'Redirects who has no key to a page for people, and serves every chat of who has one',
    ends: ['violations'],
    keeps: [...COMPLETED, ...REFUSED, 'STR-1', 'STR-2', 'STR-3', 'AUTH-2', 'ERR-11', 'VER-2'],
    answers: (request, response, body) => {
      const { authorization } = request.headers;
      const status = statusFor(authorization);
      if (authorization === undefined) response.writeHead(302, { location: '/login' }).end();
      else if (status === undefined) behindLists(accepts)(request, response, body);
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
    ends: ['violations', 'incomplete'],
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
      'REQ-9',
      'RES-3',
      'RES-4',
      'IDEM-3',
      'STR-1',
      'STR-2',
      'STR-3',
      'ERR-11',
    ],
    answers: behindLists((_, response) => sendStream(response)),
  },
} as const satisfies Readonly<Record<string, Adversary>>;
