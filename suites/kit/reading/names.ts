import type { JsonObject, JsonValue } from '../../../fixtures/chats/chat.ts';
import { childPointer, type Found } from './json.ts';

/** A name without its case and separators: `requestId`, `request_id` and `Request-ID` are the same. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** The first member, in the order of these normalized names, whose value `accepts` allows; `parent`: its pointer. */
export function memberNamed<V extends JsonValue>(
  object: JsonObject,
  names: readonly string[],
  accepts: (value: JsonValue) => value is V,
  parent = '',
): Found<V> | undefined {
  const members = Object.entries(object).map(([name, value]) => ({
    name,
    plain: normalizeName(name),
    value,
  }));
  for (const wanted of names) {
    for (const { name, plain, value } of members) {
      if (plain === wanted && accepts(value)) return { pointer: childPointer(parent, name), value };
    }
  }
  return undefined;
}

export const isText = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && value !== '';

/** A non-negative integer. */
export const isCount = (value: JsonValue | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** Splits a text into words, so that long lists of names need no quotes. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
