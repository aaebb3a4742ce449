import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import type { Answer } from '../model/exchange.ts';

/** What a body is as JSON, or why it is none. */
export type JsonReading =
  | { readonly kind: 'json'; readonly value: JsonValue }
  | { readonly kind: 'no-json'; readonly reason: string };

/** A run keeps every answer: the values of thousands of large ones, deep in arrays, would not fit in memory. */
const MOST_KEPT_BYTES = 65_536;

const readings = new WeakMap<Answer, JsonReading>();

/** The JSON of an answer's whole body (RFC 8259: strict UTF-8), read once per answer unless it is large. */
export function readJson(answer: Answer): JsonReading {
  const known = readings.get(answer);
  if (known !== undefined) return known;
  const reading = parseJson(answer.body);
  if (answer.body.length <= MOST_KEPT_BYTES) readings.set(answer, reading);
  return reading;
}

/** The JSON of some bytes: a body that was sent or one that came. */
export function parseJson(bytes: Uint8Array): JsonReading {
  if (bytes.length === 0) return { kind: 'no-json', reason: 'the body is empty' };
  const text = decodeUtf8(bytes);
  if (text === undefined) return { kind: 'no-json', reason: 'the body is not UTF-8' };
  try {
    const value: JsonValue = JSON.parse(text);
    return { kind: 'json', value };
  } catch {
    return { kind: 'no-json', reason: 'the body is not JSON' };
  }
}
