import { timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../protocol/service-error.ts';
import type { Caller } from '../world/caller.ts';

const SCOPE = 'inference';
const CHALLENGE = 'www-authenticate';
/** RFC 6750: the scheme in any case, then one token. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** The caller of an Authorization header (AUTH-1, AUTH-2). Throws `missing_key`, `invalid_key` or `missing_scope`. */
export function authenticate(callers: readonly Caller[], authorization: string | undefined): Caller {
  const key = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  if (key === undefined) throw new ServiceError('missing_key', { headers: [CHALLENGE, 'Bearer'] });
  const caller = find(callers, key);
  if (caller === undefined) throw challenge('invalid_key', 'error="invalid_token"');
  if (!caller.scopes.has(SCOPE))
    throw challenge('missing_scope', `error="insufficient_scope", scope="${SCOPE}"`);
  return caller;
}

/** Compares every key of this length in constant time, so that the time reveals nothing about the keys. */
function find(callers: readonly Caller[], key: string): Caller | undefined {
  const bytes = Buffer.from(key);
  let found: Caller | undefined;
  for (const caller of callers) {
    if (caller.key.length === bytes.length && timingSafeEqual(caller.key, bytes)) found = caller;
  }
  return found ?? callers.find(({ isAnyone }) => isAnyone);
}

function challenge(kind: 'invalid_key' | 'missing_scope', parameters: string): ServiceError {
  return new ServiceError(kind, { headers: [CHALLENGE, `Bearer ${parameters}`] });
}
