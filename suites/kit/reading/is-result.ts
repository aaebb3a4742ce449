import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import { isJsonObject } from './is-json-object.ts';

/** Whether a value is a response, a choice or an event as a whole, which is no single item of itself. */
export function isResult(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { choices, message, delta } = value;
  return Array.isArray(choices) || [message, delta].some(isJsonObject);
}
