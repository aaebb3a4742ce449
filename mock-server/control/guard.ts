import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { jsonPointer } from '../../fixtures/chats/chat.ts';
import { explained, InputError } from '../input/input-error.ts';
import { isForeignHost, isLoopback, isOfOtherPage } from '../protocol/loopback.ts';
import { shortened } from '../protocol/service-error.ts';

/** What was sent may be large, and need not come back. */
const LONGEST = 500;

/** A refused control request, of which nothing was applied. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;
  /** The wrong place: a JSON pointer into the body (RFC 6901), or the name of a query parameter or a header. */
  readonly at: string | undefined;

  constructor(status: number, code: string, message: string, at?: string) {
    super(shortened(message, LONGEST));
    this.status = status;
    this.code = code;
    this.at = at && shortened(at, LONGEST);
  }
}

/** Throws a ControlError in place of an InputError: with `code`, and with a place that begins with `at`. */
export function refusing<Made>(make: () => Made, { code = '', at = '' } = {}): Made {
  return explained(make, ({ path, problem, isUnknown }) => {
    const place = at + jsonPointer(...path);
    const kind = code || (isUnknown ? 'unknown_field' : 'invalid_value');
    return new ControlError(400, kind, `${place || 'the body'}: ${problem}`, place);
  });
}

/** A shorter one could be guessed. */
const LONG_TOKEN = /^\S{16,}$/;

/** Throws an InputError if anyone who reaches this host could control the mock. */
export function requireToken(host: string, token: string | undefined): void {
  const given = token?.trim();
  if (given === '') throw new InputError([], 'The control token must not be empty');
  if (isLoopback(host) || (given !== undefined && LONG_TOKEN.test(given))) return;
  const problem = 'needs a token of 16 characters or more, without blanks';
  throw new InputError([], `The control API ${problem}, to listen on ${host}`);
}

/**
 * Throws for a request that may not control this mock. With a token, that is any request without it. Without one, it is
 * a request from a web page other than the inspector, which this mock serves itself: any browser on this machine reaches
 * a loopback address, perhaps under another name.
 */
export function guard(message: IncomingMessage, token: string | undefined): void {
  const { headers } = message;
  guardPage(message, token);
  if (token !== undefined && !isToken(headers.authorization, token))
    throw new ControlError(401, 'control_token', 'Send the control token as a bearer token', 'Authorization');
  const own = `http://${headers.host}`;
  if (token === undefined && isOfOtherPage(headers, (origin) => origin === own))
    throw new ControlError(403, 'foreign_origin', 'Other web pages may not control this mock', 'Origin');
}

/** Throws if the page may not be shown under this name: it would have the rights of its origin. */
export function guardPage({ headers }: IncomingMessage, token: string | undefined): void {
  const problem = 'This mock accepts control requests at a loopback address only';
  if (token === undefined && isForeignHost(headers.host))
    throw new ControlError(403, 'foreign_host', problem, 'Host');
}

/** Compares digests, which have one length, in constant time. */
function isToken(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'));
}
