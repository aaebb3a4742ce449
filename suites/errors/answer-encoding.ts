import type { Invariant } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { HOLDS, violated } from '../engine/model/ruling.ts';
import { answerOf, declaredCodings, endpointOf, isSuccess } from '../engine/reading/answers.ts';
import { isEventStream } from '../engine/reading/errors/disposition.ts';
import { readJson, decodeUtf8 } from '../engine/reading/json.ts';

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
    const type = answer.headers['content-type'];
    if (/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type ?? '')) return HOLDS;
    return violated(
      'json-untold',
      'the content type application/json',
      type ?? 'no content type',
      'content-type',
    );
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
    if (codings.length === 0) return acceptsCodings(exchange) ? HOLDS : undefined;
    if (answer.decoded === true) return HOLDS;
    // No coding makes JSON of anything.
    if (readJson(answer).kind === 'no-json') return undefined;
    return violated(
      'miscoded',
      `a body in the coding ${codings.join(', ')}`,
      'plain JSON',
      'content-encoding',
    );
  },
};

const acceptsCodings = ({ request }: Exchange): boolean => request.headers['accept-encoding'] !== undefined;

export const refusalUtf8: Invariant = utf8Invariant({
  id: 'refusal-utf8',
  clauses: ['ERR-1'],
  title: 'encodes every refusal in UTF-8',
  because: 'an error object is JSON, and JSON between systems is UTF-8 (RFC 8259)',
  bears: (exchange) => isRefusal(exchange) && isJsonType(exchange),
});

export const responseUtf8: Invariant = utf8Invariant({
  id: 'response-utf8',
  clauses: ['RES-1'],
  title: 'encodes every chat completion response in UTF-8',
  because: 'a response is JSON, and JSON between systems is UTF-8 (RFC 8259)',
  bears: (exchange) =>
    endpointOf(exchange.request) === 'chat' && isSuccess(answerOf(exchange)) && isJsonType(exchange),
});

export const streamUtf8: Invariant = utf8Invariant({
  id: 'stream-utf8',
  clauses: ['STR-3'],
  title: 'encodes every event stream in UTF-8',
  because: 'an event stream is always UTF-8 (HTML standard), so invalid text was not validated',
  bears: (exchange) => isSuccess(answerOf(exchange)) && isEventStream(answerOf(exchange)),
});

function utf8Invariant({
  bears,
  ...declaration
}: Omit<Invariant, 'judge'> & { readonly bears: (exchange: Exchange) => boolean }): Invariant {
  return {
    ...declaration,
    level: 'implied',
    judge: () => (exchange) => {
      const { body } = answerOf(exchange);
      if (body.length === 0 || !bears(exchange)) return undefined;
      if (decodeUtf8(body) !== undefined) return HOLDS;
      return violated('no-utf8', 'a body in UTF-8', `no UTF-8 after the first ${wholeBytes(body)} bytes`);
    },
  };
}

const isRefusal = (exchange: Exchange): boolean => answerOf(exchange).status >= 400;

function isJsonType(exchange: Exchange): boolean {
  return /^[^;]*\bjson\b/i.test(answerOf(exchange).headers['content-type'] ?? '');
}

/** How many bytes precede the first that is not UTF-8. */
function wholeBytes(body: Uint8Array): number {
  const [whole = ''] = new TextDecoder().decode(body).split('\u{fffd}', 1);
  return Buffer.byteLength(whole);
}
