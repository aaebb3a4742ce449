import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Profile } from '../../model/target.ts';
import { isJsonObject, valueAt } from '../json.ts';
import { find, findPinned, isText, membersOf, named, type Point, words } from '../locate.ts';

export interface ModelList {
  readonly pointer: string;
  /** Where a record holds its ID; `''`: the records are the IDs; undefined: the records are keyed by ID. */
  readonly idPointer: string | undefined;
  readonly entries: readonly ModelEntry[];
}

export interface ModelEntry {
  /** Undefined when this record has no ID where the others have one. */
  readonly id: string | undefined;
  readonly record: JsonValue;
}

export const LIST: Point<JsonValue[]> = {
  pins: ['models.list'],
  in: [''],
  names: words('data models items list result/models result/data result/items result'),
  accepts: isList,
};

const BY_ID: Point<JsonObject> = {
  ...LIST,
  names: words('models items list result/models'),
  accepts: isById,
};

export const MODEL_ID: Point<string> = {
  pins: ['models.id'],
  in: [''],
  names: words('id model modelid name slug modelname key identifier model/id model/name'),
  accepts: isText,
};

/** The list, or the records by their ID, where the profile pins it, or else at the root, under `data`, `models` or a name like these. */
export function findModelList(body: JsonValue, profile: Profile = {}): ModelList | undefined {
  const pinned = findPinned(body, LIST, profile) ?? findPinned(body, BY_ID, profile);
  const root = isList(body) ? { pointer: '', value: body } : undefined;
  const { pointer, value } = pinned ?? root ?? find(body, LIST) ?? find(body, BY_ID) ?? {};
  if (pointer === undefined || value === undefined) return undefined;
  const byId = Object.entries(value).map(([id, record]) => ({ id, record }));
  if (!isList(value)) return { pointer, idPointer: undefined, entries: byId };
  const idPointer = idPointerIn(value, profile);
  if (idPointer === undefined) return undefined;
  return { pointer, idPointer, entries: value.map((record) => ({ id: idAt(record, idPointer), record })) };
}

/** Records by their ID, and no envelope of a list. */
function isById(value: JsonValue): value is JsonObject {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(([id, record]) => isJsonObject(record) && !HOLDERS.includes(id));
}

/** A list of IDs, or of records. */
function isList(value: JsonValue): value is JsonValue[] {
  if (!Array.isArray(value)) return false;
  return value.every(isText) || (value.every(isJsonObject) && !value.every(isGroup));
}

/** Whether a record holds a list of models, rather than being one. */
function isGroup(record: JsonObject): boolean {
  return HOLDERS.some((name) => Array.isArray(record[name]) && record[name].every(isJsonObject));
}

const HOLDERS = words('data models items');

/** The place where most records hold an ID; `''`: the records are IDs. */
function idPointerIn(records: readonly JsonValue[], profile: Profile): string | undefined {
  if (records.every(isText)) return '';
  const pointers = records.flatMap((record) => find(record, MODEL_ID, profile)?.pointer ?? []);
  const counts = [...Map.groupBy(pointers, (pointer) => pointer)];
  return counts.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0];
}

function idAt(record: JsonValue, pointer: string): string | undefined {
  const id = valueAt(record, pointer);
  return isText(id) ? id : undefined;
}

/** How many other places are returned: trying one costs a request. */
const MOST_OTHER_PLACES = 3;

/** Other places where records may hold the model IDs (MOD-3), likeliest first: each record has a word of its own there. */
export function otherIdPointers({ entries, idPointer }: ModelList): readonly string[] {
  const first = { pointer: '', value: entries[0]?.record ?? null };
  const places = [...named(first.value, MODEL_ID), ...membersOf(first)].map(({ pointer }) => pointer);
  const wordsAt = (pointer: string): readonly string[] =>
    entries.flatMap(({ id, record }) => {
      const word = idAt(record, pointer);
      return word === undefined || word === id || /\s/.test(word) ? [] : [word];
    });
  const others = [...new Set(places)].filter((place) => new Set(wordsAt(place)).size === entries.length);
  return idPointer === undefined ? [] : others.slice(0, MOST_OTHER_PLACES);
}
