import { isUtf8 } from 'node:buffer';
import { ServiceError, type Step } from '../protocol/service-error.ts';

/**
 * Parses the JSON of a body. Of duplicate names the last wins. Refuses a byte order mark (RFC 8259).
 * Throws `invalid_encoding`, `json_too_deep` or `invalid_json`.
 */
export function parseJson(body: Buffer, depth: number): unknown {
  if (!isUtf8(body)) throw new ServiceError('invalid_encoding');
  if (isDeeper(body, depth))
    throw new ServiceError('json_too_deep', { detail: `The limit is ${depth} levels` });
  try {
    return JSON.parse(body.toString());
  } catch {
    // The parser's message quotes the body, which may contain a secret.
    throw new ServiceError('invalid_json');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether arrays and objects are nested deeper than `limit`. Scans the bytes without recursion. */
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

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the value if it is an object. Throws `invalid_value` for anything else, including null and arrays. */
export function asObject(value: unknown, path: readonly Step[]): JsonObject {
  if (isObject(value)) return value;
  throw invalid(path, 'Expected an object');
}

export function invalid(path: readonly Step[], detail: string): ServiceError {
  return new ServiceError('invalid_value', { path, detail });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws `unknown_field` for the first own name that is not known. `__proto__` is a name like any other. */
export function refuseOthers(object: JsonObject, known: ReadonlySet<string>, path: readonly Step[]): void {
  for (const name of Object.keys(object)) {
    if (!known.has(name)) throw new ServiceError('unknown_field', { path: [...path, name] });
  }
}

/** The value of an own field, which may be null. Throws `missing_field` if the object does not have it. */
export function requireField(object: JsonObject, name: string, path: readonly Step[]): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  throw new ServiceError('missing_field', { path: [...path, name] });
}
