import type { JsonObject, JsonValue } from '../../../fixtures/chat.ts';
import type { Ranks } from './error-names.ts';
import { isJsonObject } from './is-json-object.ts';
import { below, type Found } from './json-pointer.ts';
import { plainName } from './member-named.ts';

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

/** The members of those members that are objects. */
export function membersWithin(members: readonly ErrorMember[]): ErrorMember[] {
  return members.flatMap(({ value, pointer }) => (isJsonObject(value) ? membersOf(value, pointer) : []));
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
  return typeof value === 'number' || isSpoken(value);
}

/** Whether a value can be a message: a text that is not empty. */
export function isSpoken(value: JsonValue): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
