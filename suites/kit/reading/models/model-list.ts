import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import { isJsonObject, childPointer, type Found, valueAt } from '../json.ts';
import { normalizeName, words } from '../names.ts';
import { findIdPointer, idAt } from './model-id.ts';

/** A list of model records, under any name. */
export interface ModelList {
  readonly pointer: string;
  /** Where a record holds its ID; `''`: the records are the IDs; undefined: the records are keyed by ID. */
  readonly idPointer: string | undefined;
  /** Present where `pointer` is an object of lists, whose entries are joined. */
  readonly isGrouped?: true;
  readonly entries: readonly ModelEntry[];
}

export interface ModelEntry {
  /** Undefined when this record has no ID where the others have one. */
  readonly id: string | undefined;
  readonly record: JsonValue;
}

const LIST_NAMES = words('data models items modellist availablemodels results records list');
const ENVELOPE_NAMES: ReadonlySet<string> = new Set(
  words('meta metadata pagination paging page links request response result status info'),
);
/** Where the profile pins the list and its IDs. */
export interface ListPins {
  readonly list?: string;
  readonly id?: string;
}

/** The first list that model IDs can be read from: at the pinned place, or else anywhere. */
export function findModelList(body: JsonValue, pins: ListPins = {}): ModelList | undefined {
  const lists = places(body);
  return (
    pinnedList(body, pins) ??
    firstOf(
      lists.filter(({ pointer }) => isListName(pointer) || GROUPED.has(normalizeName(lastName(pointer)))),
      (place) => groupedModels(place, pins),
    ) ??
    firstArray(lists, pins) ??
    firstOf(lists, (place) => modelsByKey(place, pins))
  );
}

function pinnedList(body: JsonValue, pins: ListPins): ModelList | undefined {
  const value = pins.list === undefined ? undefined : valueAt(body, pins.list);
  if (pins.list === undefined || value === undefined) return undefined;
  const place = { pointer: pins.list, value };
  const listed = arrayOfModels(place, pins) ?? groupedModels(place, pins);
  return listed ?? (holdsList(place) ? undefined : modelsByKey(place, pins));
}

/** The envelope of a list, or one of its records, is not the list, even if a profile pins it. */
function holdsList(place: Found): boolean {
  if (findIdPointer([place.value], undefined) !== undefined) return true;
  return members(place).some(
    (each) => each.rank < LIST_NAMES.length && (arrayOfModels(each) ?? modelsByKey(each)) !== undefined,
  );
}

/** An empty array is the list only where no other array with the name of a list holds models. */
function firstArray(found: readonly Found[], pins: ListPins): ModelList | undefined {
  const first = firstOf(found, (place) => listOfModels(place, pins));
  if (first?.entries.length !== 0) return first;
  const named = found.filter(({ pointer }) => isListName(pointer));
  return (
    firstOf(named, (place) => {
      const list = listOfModels(place, pins);
      return list?.entries.length === 0 ? undefined : list;
    }) ?? first
  );
}

function firstOf(
  found: readonly Found[],
  read: (place: Found) => ModelList | undefined,
): ModelList | undefined {
  for (const place of found) {
    const list = read(place);
    if (list) return list;
  }
  return undefined;
}

/** Where a list may be, likeliest first: the root, and two levels below it. */
function places(body: JsonValue): Found[] {
  const root = { pointer: '', value: body };
  const first = members(root);
  return [root, ...first, ...first.flatMap(members)];
}

function members({ pointer, value }: Found): (Found & { readonly rank: number })[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value)
    .map(([name, inner]) => ({ rank: rankOf(name), pointer: childPointer(pointer, name), value: inner }))
    .toSorted((one, other) => one.rank - other.rank);
}

function rankOf(name: string): number {
  const rank = LIST_NAMES.indexOf(normalizeName(name));
  return rank === -1 ? LIST_NAMES.length : rank;
}

function arrayOfModels({ pointer, value }: Found, pins: ListPins = {}): ModelList | undefined {
  if (!Array.isArray(value)) return undefined;
  if (value.length === 0)
    return isListName(pointer) || pointer === pins.list ? { pointer, idPointer: '', entries: [] } : undefined;
  const idPointer = findIdPointer(value, pins.id);
  if (idPointer === undefined || value.every(isGroup)) return undefined;
  return { pointer, idPointer, entries: value.map((record) => ({ id: idAt(record, idPointer), record })) };
}

/** Texts under a name that is not a list name may be anything: scopes, warnings, column names. */
function listOfModels(place: Found, pins: ListPins): ModelList | undefined {
  const list = arrayOfModels(place, pins);
  return list?.idPointer === '' && !isListName(place.pointer) ? undefined : list;
}

/** Models in groups: a list of lists of models. */
function isGroup(element: JsonValue): boolean {
  return members({ pointer: '', value: element }).some(
    ({ rank, value }) => rank < LIST_NAMES.length && Array.isArray(value) && value.every(isJsonObject),
  );
}

function modelsByKey({ pointer, value }: Found, pins: ListPins = {}): ModelList | undefined {
  if (!isJsonObject(value)) return undefined;
  const records = Object.entries(value);
  // An envelope is an object of objects too: it has one member, or members with list names.
  const isEnvelope =
    records.some(([name]) => rankOf(name) < LIST_NAMES.length || ENVELOPE_NAMES.has(normalizeName(name))) ||
    (pointer === '' && records.length === 1);
  const isPinned = pointer === pins.list;
  const looksKeyed =
    isListName(pointer) && !isEnvelope && records.every(([, record]) => isJsonObject(record));
  const keyed = isPinned || looksKeyed;
  if (!keyed || (records.length === 0 && pointer === '')) return undefined;
  const { id } = pins;
  const idPointer = records.every(([, record]) => id !== undefined && idAt(record, id)) ? id : undefined;
  const entries = records.map(([name, record]) => ({
    id: idPointer === undefined ? name : idAt(record, idPointer),
    record,
  }));
  return { pointer, idPointer, entries };
}

/** Names of objects that hold groups of models. */
const GROUPED: ReadonlySet<string> = new Set(words('providers vendors owners tiers groups families'));

/** Models in groups, each a list under the name of its group. */
function groupedModels(place: Found, pins: ListPins): ModelList | undefined {
  if (members(place).some(({ rank }) => rank < LIST_NAMES.length)) return undefined;
  const groups = groupsIn(
    place,
    (value) => arrayOfModels({ pointer: place.pointer, value }, pins) !== undefined,
  );
  const models = groups?.flatMap(({ value }) => (Array.isArray(value) ? value : []));
  const list = models && arrayOfModels({ pointer: place.pointer, value: models }, pins);
  return list && { ...list, isGrouped: true };
}

function isListName(pointer: string): boolean {
  return pointer === '' || rankOf(lastName(pointer)) < LIST_NAMES.length;
}

function lastName(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

/** Names of lists of models that cannot be called, or that repeat models of another list. */
const NO_GROUP =
  /^(?:(?:un|not?|non)(?:available|supported|listed|enabled|released|callable|accessible)|coming.*|upcoming.*|soon|deprecated.*|retired.*|legacy.*|disabled.*|planned.*|hidden|denied|recommended.*|default.*|featured.*|popular|warnings?|errors?|links?|tags?|available.*|all)$/;

/**
 * The lists of an object of model groups, such as by provider or tier; undefined where the object may be anything
 * else. `isList`: whether a value is a list of models.
 */
export function groupsIn(
  { pointer, value }: Found,
  isList: (value: JsonValue) => boolean,
): readonly Found[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value);
  const groups = entries.filter(([, inner]) => Array.isArray(inner));
  const isModelGroup = ([name, inner]: [string, JsonValue]): boolean =>
    !NO_GROUP.test(normalizeName(name)) && (isEmpty(inner) || isList(inner));
  if (groups.length < 2 || !groups.every(isModelGroup) || groups.every(([, inner]) => isEmpty(inner)))
    return undefined;
  // Beside lists of records there may be a count or a name; an object with lists of texts may be a single record.
  const ofRecords = groups.every(([, inner]) => Array.isArray(inner) && inner.every(isJsonObject));
  const others = entries.length - groups.length;
  if (others > 0 && !(ofRecords && entries.every(([, inner]) => !isJsonObject(inner)))) return undefined;
  return groups.map(([name, inner]) => ({ pointer: childPointer(pointer, name), value: inner }));
}

function isEmpty(value: JsonValue): boolean {
  return Array.isArray(value) && value.length === 0;
}
