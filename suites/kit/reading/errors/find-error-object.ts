import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import { isJsonObject, childPointer } from '../json.ts';
import { normalizeName } from '../names.ts';
import {
  isMessage,
  isCodeOrId,
  likeliest,
  membersOf,
  CODE_NAMES,
  ERROR_WRAPPERS,
  LOOSE_WRAPPERS,
  MESSAGE_NAMES,
} from './error-members.ts';

export interface ErrorObject {
  readonly pointer: string;
  readonly object: JsonObject;
}

const MAX_DEPTH = 3;

/**
 * The object in the body of a refusal that says most about the error: the root, or the value of a member with a name
 * such as `error`, `errors` or `detail` (of an array its first element). Undefined when there is no such object.
 */
export function findErrorObject(root: JsonValue): ErrorObject | undefined {
  let best: ErrorObject | undefined;
  let most = -1;
  for (const candidate of candidates(root, '', MAX_DEPTH)) {
    const items = itemsNamed(candidate);
    if (items > most) [best, most] = [candidate, items];
  }
  return best;
}

/** How many of code and message have a known name. */
function itemsNamed({ object, pointer }: ErrorObject): number {
  const members = membersOf(object, pointer);
  const message = likeliest(members, MESSAGE_NAMES, isMessage);
  const others = members.filter((member) => member.pointer !== message?.pointer);
  const code = likeliest(others, CODE_NAMES, isCodeOrId);
  return Number(message !== undefined) + Number(code !== undefined);
}

/** Likeliest first: of two equally good ones the first is taken. */
function* candidates(value: JsonValue | undefined, pointer: string, depth: number): Iterable<ErrorObject> {
  if (value === undefined || depth === 0) return;
  if (Array.isArray(value)) yield* candidates(value[0], childPointer(pointer, 0), depth);
  if (!isJsonObject(value)) return;
  yield* held(value, pointer, ERROR_WRAPPERS, depth);
  yield { pointer, object: value };
  yield* held(value, pointer, LOOSE_WRAPPERS, depth);
}

function* held(
  object: JsonObject,
  pointer: string,
  wrappers: ReadonlySet<string>,
  depth: number,
): Iterable<ErrorObject> {
  for (const name of Object.keys(object)) {
    if (!wrappers.has(normalizeName(name))) continue;
    yield* candidates(object[name], childPointer(pointer, name), depth - 1);
  }
}
