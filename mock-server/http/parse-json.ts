import { isUtf8 } from 'node:buffer';

import { ServiceError } from '../endpoints/service-error.ts';

/**
 * The JSON value of a body. Of duplicate names the last wins; a byte order mark is refused (RFC 8259 has none).
 * Throws `invalid_encoding`, `json_too_deep` or `invalid_json`.
 */
export function parseJson(body: Buffer, depth: number): unknown {
  if (!isUtf8(body)) throw new ServiceError('invalid_encoding');
  if (isDeeper(body, depth))
    throw new ServiceError('json_too_deep', { detail: `The limit is ${depth} levels` });
  try {
    return JSON.parse(body.toString());
  } catch {
    // The parser's own words quote the body, which may hold a secret.
    throw new ServiceError('invalid_json');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether arrays and objects are open beyond `limit` levels at once. A scan: nothing recurses. */
function isDeeper(body: Buffer, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) inString = !inString;
    else if (inString) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === 0x5b || byte === 0x7b) depth += 1;
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}
