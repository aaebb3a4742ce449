import { inspect, types } from 'node:util';
import { shortened } from '../protocol/service-error.ts';

/** What `expect.any(String)` and its like are, in jest and in vitest. */
interface Matcher {
  asymmetricMatch(value: unknown): boolean;
  toAsymmetricMatcher?(): string;
  toString(): string;
}

/** Some of the members of a value, at any depth. */
export type SomeOf<Value> = { readonly [Name in keyof Value]?: PartOf<Value[Name]> | undefined };

type PartOf<Value> = Matcher | (Value extends string ? Value | RegExp : PartOfOther<Value>);

type PartOfOther<Value> = Value extends readonly (infer Item)[]
  ? readonly PartOf<Item>[]
  : Value extends object
    ? SomeOf<Value>
    : Value;

/**
 * Yields each place where a value differs from a part of it, as in `body.max_tokens is 32, not 16`. A list has as many items as
 * its part. Only values that the part names are shown.
 */
export function* differences(part: unknown, whole: unknown, path: readonly string[] = []): Generator<string> {
  const told = (): string => `${path.join('.')} is ${shownValue(whole)}, not`;
  if (typeof part !== 'object' || part === null || isMatcher(part) || types.isRegExp(part)) {
    if (!isMet(part, whole)) yield `${told()} ${shownValue(part)}`;
    return;
  }
  if (Array.isArray(part) && !(Array.isArray(whole) && whole.length === part.length)) {
    yield `${told()} a list of ${part.length}`;
    return;
  }
  if (Object.keys(part).length === 0 && Object(whole) !== whole) yield `${told()} an object`;
  const members: Readonly<Record<string, unknown>> = Object(whole);
  for (const [name, value] of Object.entries(part))
    yield* differences(value, Object.hasOwn(members, name) ? members[name] : undefined, [...path, name]);
}

function isMet(part: unknown, whole: unknown): boolean {
  if (isMatcher(part)) return part.asymmetricMatch(whole);
  if (types.isRegExp(part)) return typeof whole === 'string' && whole.search(part) !== -1;
  return Object.is(part, whole);
}

function isMatcher(part: unknown): part is Matcher {
  return typeof Object(part).asymmetricMatch === 'function';
}

const LONGEST = 80;

/** A value as JSON has it, cut to some length. */
export function shownValue(value: unknown, longest = LONGEST): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value, (_name, inner: unknown) => {
    if (isMatcher(inner)) return inner.toAsymmetricMatcher?.() ?? inner.toString();
    if (types.isRegExp(inner) || ['bigint', 'function'].includes(typeof inner)) return inspect(inner);
    return inner === undefined ? 'absent' : inner;
  });
  return shortened(text, longest);
}
