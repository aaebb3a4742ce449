import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import { isJsonObject } from './is-json-object.ts';

/** A value, and the JSON pointer to where it was found. */
export interface Found<V extends JsonValue = JsonValue> {
  readonly pointer: string;
  readonly value: V;
}

/** The JSON pointer (RFC 6901) of a member, or of an element, of what `parent` points to. */
export function below(parent: string, name: string | number): string {
  return `${parent}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** What a JSON pointer points to, or undefined when there is nothing. */
export function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  const names = pointer.split('/').slice(1);
  let value: JsonValue | undefined = root;
  for (const name of names) value = member(value, name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return value;
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
