import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import { isJsonObject } from '../is-json-object.ts';
import { below, type Found } from '../json-pointer.ts';
import { plainName } from '../member-named.ts';

/** Names of lists that are no group of what can be called, or hold again what stands in another one. */
const NO_GROUP =
  /^(?:(?:un|not?|non)(?:available|supported|listed|enabled|released|callable|accessible)|coming.*|upcoming.*|soon|deprecated.*|retired.*|legacy.*|disabled.*|planned.*|hidden|denied|recommended.*|default.*|featured.*|popular|warnings?|errors?|links?|tags?|available.*|all)$/;

/**
 * The lists of an object that holds models in groups, such as by provider or tier, and nothing that may be anything
 * else; undefined where it may. `isList`: whether a value is a list of models.
 */
export function groupsIn(
  { pointer, value }: Found,
  isList: (value: JsonValue) => boolean,
): readonly Found[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const members = Object.entries(value);
  const groups = members.filter(([, inner]) => Array.isArray(inner));
  const isGroup = ([name, inner]: [string, JsonValue]): boolean =>
    !NO_GROUP.test(plainName(name)) && (isEmpty(inner) || isList(inner));
  if (groups.length < 2 || !groups.every(isGroup) || groups.every(([, inner]) => isEmpty(inner)))
    return undefined;
  // Beside lists of records there may be a count or a name; beside lists of texts it may be one record.
  const ofRecords = groups.every(([, inner]) => Array.isArray(inner) && inner.every(isJsonObject));
  const others = members.length - groups.length;
  if (others > 0 && !(ofRecords && members.every(([, inner]) => !isJsonObject(inner)))) return undefined;
  return groups.map(([name, inner]) => ({ pointer: below(pointer, name), value: inner }));
}

function isEmpty(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}
