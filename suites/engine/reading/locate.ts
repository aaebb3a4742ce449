import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import type { OpenPointName } from '../../../fixtures/clauses/open-points.ts';
import type { Profile } from '../model/target.ts';
import { childPointer, type Found, isJsonObject, valueAt } from './json.ts';

/** Something that an answer holds at a place that the specification leaves open. */
export interface Point<V extends JsonValue = JsonValue> {
  /** The open points whose pins name its place, the one that decides first. */
  readonly pins?: readonly OpenPointName[];
  /** JSON pointers to the objects that hold it. */
  readonly in: readonly string[];
  /** Its normalized names, likeliest first; `request/id` is the member of a member. */
  readonly names: readonly string[];
  /** Those that mean the same in any object below. */
  readonly anywhere?: readonly string[];
  /** Normalized names of members that are something else: only a member with another name may be it too. */
  readonly others?: ReadonlySet<string>;
  /** JSON pointers to members that are something else in this answer. */
  readonly except?: readonly (string | undefined)[];
  readonly accepts: (value: JsonValue) => value is V;
}

/** An item and its place; or that it is certainly absent; or that it may be there under an unknown name. */
export type ItemReading<V extends JsonValue = JsonValue> = Found<V> | 'absent' | 'unrecognised';

/** Where an item is; undefined where it was not found. */
export function pointerOf(item: { readonly pointer: string } | string | undefined): string | undefined {
  return typeof item === 'object' ? item.pointer : undefined;
}

/** Finds what a point stands for: where the profile pins it, or else under one of its names. */
export function locate<V extends JsonValue>(body: JsonValue, point: Point<V>, profile?: Profile) {
  return find(body, point, profile) ?? (unknownMembers(body, point).length > 0 ? 'unrecognised' : 'absent');
}

/** The same, without a look at other members. */
export function find<V extends JsonValue>(body: JsonValue, point: Point<V>, profile: Profile = {}) {
  return findPinned(body, point, profile) ?? named(body, point).next().value;
}

/** What the profile pins, if it is there: a wrong pin hides nothing, and the place that was found shows that it is wrong. */
export function findPinned<V extends JsonValue>(body: JsonValue, point: Point<V>, profile: Profile) {
  for (const pin of point.pins ?? []) {
    const pointer = pinnedPointer(profile, pin);
    const value = pointer === undefined ? undefined : valueAt(body, pointer);
    if (pointer !== undefined && value !== undefined && point.accepts(value)) return { pointer, value };
  }
  return undefined;
}

/** The place that a profile pins; a name is that of a member. */
export function pinnedPointer({ pins }: Profile, point: OpenPointName): string | undefined {
  const pinned = pins?.[point];
  if (typeof pinned !== 'string') return undefined;
  return pinned === '' || pinned.startsWith('/') ? pinned : childPointer('', pinned);
}

/** All members with a name of the point, likeliest first. */
export function* named<V extends JsonValue>(
  body: JsonValue,
  point: Point<V>,
): Generator<Found<V>, undefined> {
  let { names } = point;
  for (const members of levelsIn(body, point, ({ plain }) => plain !== ANY_CHOICE)) {
    yield* membersNamed(members, names, point);
    names = point.anywhere ?? [];
    if (names.length === 0) return;
  }
}

/** What stands in one choice says nothing of another: `in` says which is meant. */
const ANY_CHOICE = 'choices';

/** The pointers of members that may be it under a name that is not known. */
export function unknownMembers(body: JsonValue, point: Point): readonly string[] {
  const { others, except = [], accepts } = point;
  const isUnknown = ({ plain, pointer }: Member): boolean =>
    others?.has(plain) !== true && !except.includes(pointer);
  const members = [...levelsIn(body, point, isUnknown)].flat().filter(({ value }) => accepts(value));
  return [...new Set(members.map(({ pointer }) => pointer))];
}

interface Member extends Found {
  /** Its normalized name. */
  readonly plain: string;
}

const MOST_LEVELS = 6;

/** The members of the objects that a point names, then those of the objects in these, and so on. */
function* levelsIn(
  body: JsonValue,
  { in: pointers }: Point,
  isSeen: (member: Member) => boolean,
): Generator<readonly Member[], undefined> {
  let members = pointers.flatMap((pointer) => membersOf({ pointer, value: valueAt(body, pointer) ?? null }));
  for (let level = 0; level < MOST_LEVELS && members.length > 0; level += 1) {
    const seen = members.filter(isSeen);
    yield seen;
    members = seen.flatMap(membersOf);
  }
}

/** What `membersOf` has made of a value that is still in use: many points are looked for in one body. */
const known = new WeakMap<object, { readonly pointer: string; readonly members: readonly Member[] }>();

/** The members of an object; of a list, the objects in it. */
export function membersOf({ pointer, value }: Found): readonly Member[] {
  if (typeof value !== 'object' || value === null) return [];
  const before = known.get(value);
  if (before?.pointer === pointer) return before.members;
  const all = Object.entries<JsonValue>(value).map(([name, inner]) => ({
    plain: normalizeName(name),
    pointer: childPointer(pointer, name),
    value: inner,
  }));
  const members = Array.isArray(value) ? all.filter((member) => isJsonObject(member.value)) : all;
  known.set(value, { pointer, members });
  return members;
}

function* membersNamed<V extends JsonValue>(
  members: readonly Member[],
  names: readonly string[],
  { except = [], accepts }: Point<V>,
): Generator<Found<V>, undefined> {
  for (const name of names) {
    // Most names belong to no member.
    if (!members.some(({ plain }) => name.startsWith(plain))) continue;
    const [outer, inner] = name.split('/');
    const holders = members.filter(({ plain }) => plain === outer);
    const found =
      inner === undefined ? holders : holders.flatMap(membersOf).filter(({ plain }) => plain === inner);
    for (const { pointer, value } of found)
      if (accepts(value) && !except.includes(pointer)) yield { pointer, value };
  }
}

/** A name without its case and separators: `requestId`, `request_id` and `Request-ID` are the same. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Splits a text into words, so that long lists of names need no quotes. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

export const namesIn = (text: string): ReadonlySet<string> => new Set(words(text));

export const isText = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && value !== '';

/** A non-negative integer. */
export const isCount = (value: JsonValue | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
