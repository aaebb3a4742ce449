import type { Invariant } from '../engine/model/check.ts';
import type { Answer, Credential } from '../engine/model/exchange.ts';
import { HOLDS, violated } from '../engine/model/ruling.ts';
import { answerOf, isUnavailable } from '../engine/reading/answers.ts';
import { dispositionOf, describeAnswer } from '../engine/reading/errors/disposition.ts';

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
    return status >= 400
      ? HOLDS
      : violated('error-without-4xx', 'a 4xx status', `an error with status ${status}`);
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
    const received = describeAnswer(exchange, info);
    return violated('failed', 'success or an error object', received);
  },
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
    if (isInAddress(exchange.request.credential)) return undefined;
    const answer = answerOf(exchange);
    const place = echoIn(answer);
    return place === undefined
      ? HOLDS
      : violated('key-echoed', 'an answer without the API key', `the key in ${place}`, place);
  },
};

/** An answer may name the address that was asked for: whoever put a key into it gave it away already. */
function isInAddress(credential: Credential): boolean {
  return (
    credential.kind === 'forged' && credential.elsewhere !== undefined && 'query' in credential.elsewhere
  );
}

function echoIn({ headers, body }: Answer): string | undefined {
  for (const name in headers) if (MARKER.test(headers[name] ?? '')) return name;
  // Searching for the bytes first saves decoding nearly every body.
  if (!Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('[key:')) return undefined;
  return MARKER.test(Buffer.from(body).toString('latin1')) ? 'the body' : undefined;
}
