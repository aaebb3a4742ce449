import { faithfulChat, ofAll, rightOnce } from '../engine/inputs/judging/served-chat-invariant.ts';
import type { Invariant } from '../engine/model/check.ts';
import { type Answer, type Exchange, isUnanswered, secondTryOf } from '../engine/model/exchange.ts';
import { HOLDS, violated } from '../engine/model/ruling.ts';
import {
  answerOf,
  brokenOff,
  declaredCodings,
  endpointOf,
  hasSucceeded,
  isSuccess,
  isUnavailable,
} from '../engine/reading/answers.ts';
import { dispositionOf, describeAnswer, isEventStream } from '../engine/reading/errors/disposition.ts';
import { readJson, decodeUtf8 } from '../engine/reading/json.ts';

/** A refusal is recognised by its error object, whatever the status: see `dispositionOf`. */
export const statusClasses: Invariant = {
  id: 'status-classes',
  clauses: ['ERR-10'],
  title: 'gives every refusal a 4xx status',
  decides: 'refuses with 4xx',
  because: 'by the convention the status class distinguishes refusals from success',
  judge: (info) => (exchange) => {
    if (dispositionOf(exchange, info) !== 'refused') return undefined;
    const { status } = answerOf(exchange);
    if (status >= 400) return HOLDS;
    return violated('error-without-4xx', 'a 4xx status', `an error with status ${status}`);
  },
};

/**
 * Gateway statuses leave the outcome uncertain (ERR-7), so they get here only where the run armed them. An armed fault
 * may make the service fail (ERR-6).
 */
export const neverFails: Invariant = {
  id: 'never-fails',
  ofWholeRun: true,
  clauses: ['ERR-11'],
  title: 'answers no request with a server error',
  because: 'by the specification a request is either served or refused',
  ofDeath: (what) => violated('died', 'success or an error object', what),
  judge: (info) => (exchange) => {
    if (exchange.armed !== undefined) return undefined;
    if (dispositionOf(exchange, info) !== 'failed' || isUnavailable(answerOf(exchange))) return HOLDS;
    return violated('failed', 'success or an error object', describeAnswer(exchange, info));
  },
};

/** A connection may break by chance, or an answer be late. If every second try of the run fails too, it was no chance. */
export const neverHangsUp: Invariant = {
  id: 'never-hangs-up',
  ofWholeRun: true,
  clauses: ['ERR-11'],
  title: 'answers every request',
  because: 'by the specification a request is either served or refused',
  ...ofAll(
    (exchange) => exchange,
    (all) => {
      const byId = new Map(all.map((exchange) => [exchange.id, exchange]));
      const tries = all.flatMap((first) => {
        const second = byId.get(secondTryOf(first.id));
        return second === undefined || !isUnanswered(first) ? [] : { first, second };
      });
      const answered = all.find((exchange) => !isUnanswered(exchange));
      if (tries.length === 0 || !tries.every(({ second }) => isUnanswered(second)))
        return answered === undefined ? [] : [[answered, HOLDS]];
      return tries.map(({ first, second: { outcome } }) => {
        const how = 'reason' in outcome ? outcome.reason : '';
        return [first, violated('hung-up', 'success or an error object', `no answer, twice: ${how}`)];
      });
    },
  ),
};

/** The sender puts this in place of each key, in any encoding, before anything is recorded. */
const MARKER = /\[key:(\w+)\]/;

/** Only whole keys leave the marker, not the near misses that other checks send. */
export const noKeyEchoed: Invariant = {
  id: 'no-key-echoed',
  clauses: ['AUTH-1'],
  title: 'never repeats an API key in an answer',
  because: 'a key is a secret, and answers end up in logs and error reports',
  level: 'convention',
  judge: () => (exchange) => {
    const { credential } = exchange.request;
    // An answer may name the address that was asked for: whoever put a key into it gave it away already.
    if (credential.kind === 'forged' && 'query' in (credential.elsewhere ?? {})) return undefined;
    const place = echoIn(answerOf(exchange));
    if (place === undefined) return HOLDS;
    return violated('key-echoed', 'an answer without the API key', `the key in ${place}`, place);
  },
};

function echoIn({ headers, body }: Answer): string | undefined {
  for (const name in headers) if (MARKER.test(headers[name] ?? '')) return name;
  // Searching for the bytes first saves decoding nearly every body.
  if (!Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('[key:')) return undefined;
  return MARKER.test(Buffer.from(body).toString('latin1')) ? 'the body' : undefined;
}

/** Only objects and arrays: a bare `3` may be text. */
export const jsonContentType: Invariant = {
  id: 'json-content-type',
  clauses: ['VER-2'],
  title: 'labels every JSON body with a JSON content type',
  because: 'the tested client, like most, parses a body as JSON only if the content type says so',
  level: 'convention',
  judge: () => (exchange) => {
    const answer = answerOf(exchange);
    const body = readJson(answer);
    if (body.kind === 'no-json' || typeof body.value !== 'object' || body.value === null) return undefined;
    const { 'content-type': type = 'no content type' } = answer.headers;
    if (/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) return HOLDS;
    return violated('json-untold', 'the content type application/json', type, 'content-type');
  },
};

export const declaredCoding: Invariant = {
  id: 'declared-coding',
  clauses: ['VER-2'],
  title: 'declares a content coding only for a body in that coding',
  because:
    'the tested client, like any, decodes a body as its headers say (RFC 9110), and fails where it cannot',
  level: 'implied',
  judge: () => (exchange) => {
    const answer = answerOf(exchange);
    const codings = declaredCodings(answer);
    // Only the tested client accepts a coding, and what comes without one it reads as well.
    if (codings.length === 0)
      return exchange.request.headers['accept-encoding'] === undefined ? undefined : HOLDS;
    if (answer.decoded === true) return HOLDS;
    // No coding makes JSON of anything.
    if (readJson(answer).kind === 'no-json') return undefined;
    const expected = `a body in the coding ${codings.join(', ')}`;
    return violated('miscoded', expected, 'plain JSON', 'content-encoding');
  },
};

export const refusalUtf8: Invariant = utf8Invariant({
  id: 'refusal-utf8',
  clauses: ['ERR-1'],
  title: 'encodes every refusal in UTF-8',
  because: 'an error object is JSON, and JSON between systems is UTF-8 (RFC 8259)',
  bears: (answer) => answer.status >= 400 && isJsonType(answer),
});

export const responseUtf8: Invariant = utf8Invariant({
  id: 'response-utf8',
  clauses: ['RES-1'],
  title: 'encodes every chat completion response in UTF-8',
  because: 'a response is JSON, and JSON between systems is UTF-8 (RFC 8259)',
  bears: (answer, { request }) => endpointOf(request) === 'chat' && isSuccess(answer) && isJsonType(answer),
});

export const streamUtf8: Invariant = utf8Invariant({
  id: 'stream-utf8',
  clauses: ['STR-3'],
  title: 'encodes every event stream in UTF-8',
  because: 'an event stream is always UTF-8 (HTML standard), so invalid text was not validated',
  bears: (answer) => isSuccess(answer) && isEventStream(answer),
});

type Bears = (answer: Answer, exchange: Exchange) => boolean;

function utf8Invariant({
  bears,
  ...declared
}: Omit<Invariant, 'judge'> & { readonly bears: Bears }): Invariant {
  return {
    ...declared,
    level: 'implied',
    judge: () => (exchange) => {
      const answer = answerOf(exchange);
      if (answer.body.length === 0 || !bears(answer, exchange)) return undefined;
      if (decodeUtf8(answer.body) !== undefined) return HOLDS;
      const [whole = ''] = new TextDecoder().decode(answer.body).split('\u{fffd}', 1);
      const actual = `no UTF-8 after the first ${Buffer.byteLength(whole)} bytes`;
      return violated('no-utf8', 'a body in UTF-8', actual);
    },
  };
}

function isJsonType({ headers }: Answer): boolean {
  return /^[^;]*\bjson\b/i.test(headers['content-type'] ?? '');
}

/** What is promised and never arrives whole, while everything else does, is not left to chance. */
function someIsWhole(what: 'response' | 'stream', declaration: Pick<Invariant, 'id' | 'clauses' | 'title'>) {
  return {
    ...declaration,
    because: 'a kind of request that never gets a whole answer, while others do, is not answered as promised',
    ofWholeRun: true as const,
    ...ofAll(
      (exchange) => (endpointOf(exchange.request) === 'chat' ? { exchange } : undefined),
      (chats, info) => {
        if (!chats.some(({ exchange }) => exchange.outcome.kind === 'answered')) return [];
        const isOfKind = ({ request }: Exchange): boolean => {
          const chat = faithfulChat(request, info);
          return chat !== undefined && (chat['stream'] === true) === (what === 'stream');
        };
        const whole = chats.find(({ exchange }) => hasSucceeded(exchange) && isOfKind(exchange));
        // A timeout or a gateway error without a beginning leaves everything open (ERR-7).
        const broken = chats.filter(
          ({ exchange }) => brokenOff(exchange) !== undefined && isOfKind(exchange),
        );
        const [outcome] = broken.map(({ exchange }) => exchange.outcome);
        const reason = outcome === undefined || outcome.kind === 'answered' ? '' : outcome.reason;
        const actual = `${broken.length} that broke off: ${reason}`;
        return rightOnce(broken, whole, () =>
          violated('never-whole', `a ${what} that arrives whole`, actual),
        );
      },
    ),
  };
}

export const someStreamIsWhole: Invariant = someIsWhole('stream', {
  id: 'some-stream-is-whole',
  clauses: ['STR-3'],
  title: 'completes at least one stream, if it answers other chats',
});

export const someResponseIsWhole: Invariant = someIsWhole('response', {
  id: 'some-response-is-whole',
  clauses: ['SVC-1'],
  title: 'completes at least one response, if it answers streams',
});
