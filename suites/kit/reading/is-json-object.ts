import type { JsonObject } from '../../../fixtures/chats/chat.ts';

/** Whether a parsed JSON value is an object: no array, no null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
