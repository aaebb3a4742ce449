import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
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
import { isJsonObject, childPointer } from '../json.ts';
import { normalizeName } from '../names.ts';

export interface ErrorObject {
  readonly pointer: string;
  readonly object: JsonObject;
}

const MAX_DEPTH = 3;

/**
 * The object of a refusal's body that tells most about an error: the root, or one held by a member that is
 * named for errors (`error`, `errors`, `detail`, …), the first element of an array included. Undefined when
 * the body holds no object there.
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

/** How many of code and message go by names that are known. */
function itemsNamed({ object, pointer }: ErrorObject): number {
  const members = membersOf(object, pointer);
  const message = likeliest(members, MESSAGE_NAMES, isMessage);
  const others = members.filter((member) => member.pointer !== message?.pointer);
  const code = likeliest(others, CODE_NAMES, isCodeOrId);
  return Number(message !== undefined) + Number(code !== undefined);
}

/** Likeliest first, since of two that tell as much the first one is taken. */
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
