import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import type { Answer } from '../model/exchange.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { valueAt } from './json-pointer.ts';

/** Texts as they are, and whole numbers of more digits than a double can hold. */
const TEXT_OR_LONG_NUMBER = /("(?:[^"\\]|\\.)*")|(?<![\w.+-])(-?\d{16,})(?![\d.eE])/gs;

/**
 * What stands at a place of a JSON body, as text, to the last digit: parsed numbers of more than 15 digits run
 * into one another. Undefined where neither a text nor a number stands.
 */
export function exactText(answer: Answer, pointer: string): string | undefined {
  const written = decodeUtf8(answer.body)?.replace(
    TEXT_OR_LONG_NUMBER,
    (_, text: string | undefined, digits: string | undefined) => text ?? `"${digits}"`,
  );
  const root: JsonValue = JSON.parse(written ?? 'null');
  const value = valueAt(root, pointer);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
