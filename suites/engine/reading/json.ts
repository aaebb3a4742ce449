import { type JsonObject, jsonPointer, type JsonValue } from '../../../fixtures/chats/chat.ts';
import type { Answer } from '../model/exchange.ts';

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const STRICT = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 without a leading byte order mark; undefined when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return STRICT.decode(bytes);
  } catch {
    return undefined;
  }
}

/** What was made of bodies of so many bytes is remembered at a time, by each reader. */
const MOST_BYTES = 4 * 1024 * 1024;

/** What each takes beside its body. */
const LEAST_BYTES = 256;

/**
 * Makes what a reader makes of some objects once, and remembers it for a while: what a run makes of thousands of large
 * answers would not fit in memory. Beyond a bound everything is forgotten, and made again when it is asked for.
 * `bytes`: of the body that is read.
 */
export function remembering<K extends object, V>(make: (key: K) => V, bytes: (key: K) => number) {
  let values = new WeakMap<K, { readonly value: V }>();
  let kept = 0;
  return (key: K): V => {
    const known = values.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    const size = LEAST_BYTES + bytes(key);
    if (kept + size > MOST_BYTES) {
      values = new WeakMap();
      kept = 0;
    }
    kept += size;
    values.set(key, { value });
    return value;
  };
}

/** The JSON value of a body, or what the body is instead. */
export type JsonReading =
  | { readonly kind: 'json'; readonly value: JsonValue }
  | { readonly kind: 'no-json'; readonly reason: string };

/** The JSON of an answer's whole body (RFC 8259: strict UTF-8), read once per answer unless many were read since. */
export const readJson = remembering(wholeJson, bodyLength);

export function bodyLength({ body }: { readonly body?: Uint8Array | undefined }): number {
  return body?.length ?? 0;
}

function wholeJson({ body, whole }: Answer): JsonReading {
  if (whole === undefined) return parseJson(body);
  if (whole.isWithheld)
    return { kind: 'no-json', reason: 'a compressed body that holds a key, or cannot be searched for one' };
  return { kind: 'no-json', reason: `a body of ${whole.bytes} bytes, of which ${body.length} were kept` };
}

/** Parses the bytes of a request or response body. */
function parseJson(bytes: Uint8Array): JsonReading {
  if (bytes.length === 0) return { kind: 'no-json', reason: 'an empty body' };
  const text = decodeUtf8(bytes);
  if (text === undefined) return { kind: 'no-json', reason: 'a body that is not UTF-8' };
  const value = jsonOfText(text);
  return value === undefined
    ? { kind: 'no-json', reason: 'a body that is not JSON' }
    : { kind: 'json', value };
}

/** The JSON value of a text; undefined: it is none. */
export function jsonOfText(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The same, once for these bytes unless many were parsed since: several readers look at what was sent. */
export const parseOnce = remembering(parseJson, ({ length }) => length);

/** The JSON value of a body or of its text; undefined: it is none. */
export function jsonIn(text: string | Uint8Array = ''): JsonValue | undefined {
  const reading = parseJson(Buffer.from(text));
  return reading.kind === 'json' ? reading.value : undefined;
}

const MOST_LEVELS = 100;

/**
 * A value as JSON text, down to a hundred levels: `JSON.stringify` overflows the stack on what `JSON.parse` reads. What
 * lies deeper is null.
 */
export function jsonText(value: unknown): string {
  const levels = new WeakMap<object, number>();
  const text: string | undefined = JSON.stringify(value, function cut(this: object, _name, inner: unknown) {
    if (typeof inner !== 'object' || inner === null) return inner;
    const level = (levels.get(this) ?? -1) + 1;
    levels.set(inner, level);
    return level < MOST_LEVELS ? inner : null;
  });
  return text ?? 'nothing';
}

/** A value, and the JSON pointer to where it was found. */
export interface Found<V extends JsonValue = JsonValue> {
  readonly pointer: string;
  readonly value: V;
}

/** The JSON pointer (RFC 6901) of a member or an element of what `parent` points to. */
export function childPointer(parent: string, name: string | number): string {
  return parent + jsonPointer(name);
}

/** The value at a JSON pointer; undefined if absent. */
export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  return pointer.split('/').slice(1).reduce<JsonValue | undefined>(member, root);
}

function member(value: JsonValue | undefined, part: string): JsonValue | undefined {
  const name = part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part;
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The value of a text, with what is made of each number as it is written. */
export function parseWritten(text: string, make: (literal: string) => JsonValue): JsonValue {
  // The third parameter is not yet in the types of TypeScript.
  return JSON.parse(text, (_, value: JsonValue, written?: { readonly source: string }) =>
    typeof value === 'number' ? make(written?.source ?? String(value)) : value,
  );
}

/** The string, or the number with every digit, at a pointer: as doubles, long integers that differ may be equal. */
export function exactText(answer: Answer, pointer: string): string | undefined {
  const body = readJson(answer);
  const value = body.kind === 'json' ? valueAt(body.value, pointer) : undefined;
  if (typeof value === 'string') return value;
  const text = valueAt(parseWritten(decodeUtf8(answer.body) ?? 'null', String), pointer);
  return typeof text === 'string' ? text : undefined;
}
