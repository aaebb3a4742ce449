import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Ranks } from './error-names.ts';
import { isJsonObject } from '../is-json-object.ts';
import { below, type Found } from '../json-pointer.ts';
import { plainName } from '../member-named.ts';

/** A member of an object that holds an error, or of one beside it. */
export interface ErrorMember extends Found {
  readonly plain: string;
}

export function membersOf(object: JsonObject, parent: string): ErrorMember[] {
  return Object.entries(object).map(([name, value]) => ({
    plain: plainName(name),
    pointer: below(parent, name),
    value,
  }));
}

const DEEPEST = 3;

/** The members of what those members hold, objects and lists of objects, the nearest first. */
export function membersWithin(members: readonly ErrorMember[], deep = DEEPEST): ErrorMember[] {
  if (deep === 0 || members.length === 0) return [];
  const inner = members.flatMap(({ value, pointer }) => objectsIn(value, pointer));
  const next = inner.flatMap(({ value, pointer }) => (isJsonObject(value) ? membersOf(value, pointer) : []));
  return [...next, ...membersWithin(next, deep - 1)];
}

function objectsIn(value: JsonValue, pointer: string): Found[] {
  if (!Array.isArray(value)) return [{ pointer, value }];
  return value.map((element: JsonValue, index) => ({ pointer: below(pointer, index), value: element }));
}

/** The member with the likeliest of some names whose value `accepts` takes. */
export function likeliest(
  members: readonly ErrorMember[],
  ranks: Ranks,
  accepts: (value: JsonValue) => boolean,
): Found | undefined {
  let best: ErrorMember | undefined;
  let lowest = Infinity;
  for (const member of members) {
    const rank = ranks.get(member.plain) ?? Infinity;
    if (rank < lowest && accepts(member.value)) [best, lowest] = [member, rank];
  }
  return best && { pointer: best.pointer, value: best.value };
}

/** Whether a value can be a code or an ID: a text that is not empty, or a number. */
export function isTelling(value: JsonValue): value is string | number {
  return typeof value === 'number' || isFilled(value);
}

/** Whether a value can be a message: a text that is not empty, or a list of such texts. */
export function isSpoken(value: JsonValue): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isFilled) : isFilled(value);
}

function isFilled(value: JsonValue): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
