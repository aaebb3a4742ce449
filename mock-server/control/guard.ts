import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { ControlError } from './operation.ts';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;

/** The control API was asked for where others could reach it. Its message is one line. */
class ControlTokenMissing extends Error {
  override readonly name = 'ControlTokenMissing';
}

/** Throws where a mock on this host would be controlled by anyone. */
export function requireToken(host: string, token: string | undefined): void {
  if (token === '') throw new ControlTokenMissing('The control token must not be empty');
  if (token === undefined && !isLoopback(host))
    throw new ControlTokenMissing(`The control API needs a token where it listens on ${host}`);
}

/** Whether an address, or a name, can be reached from this machine alone. */
function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/**
 * Throws for a request that may not control this mock: without the token, where there is one; else from a web page,
 * which reaches a loopback address from any browser on this machine, and may have given it a name of its own.
 */
export function guard({ headers }: IncomingMessage, token: string | undefined): void {
  if (token !== undefined) {
    if (!isToken(headers.authorization, token)) throw unauthorized();
    return;
  }
  if (headers.origin !== undefined)
    throw new ControlError(403, 'foreign_origin', 'Web pages may not control this mock', 'Origin');
  if (!isLoopback((headers.host ?? '').replace(/:\d*$/, '')))
    throw new ControlError(403, 'foreign_host', 'This mock is controlled by a loopback address only', 'Host');
}

function unauthorized(): ControlError {
  return new ControlError(
    401,
    'control_token',
    'The control token is needed as a bearer token',
    'Authorization',
  );
}

/** Digests are of one length, and compared in constant time. */
function isToken(authorization: string | undefined, token: string): boolean {
  const given = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'));
}
