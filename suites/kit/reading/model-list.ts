import type { JsonValue } from '../../../fixtures/chat.ts';
import { isJsonObject } from './is-json-object.ts';
import { below, type Found, valueAt } from './json-pointer.ts';
import { isText, plainName } from './member-named.ts';
import { words } from './words.ts';

/** A list of model records as it stands in a body, under whatever name. */
export interface ModelList {
  /** Where the list is. */
  readonly pointer: string;
  /** Where a record holds its ID; `''` when the records are the IDs, undefined when they are keyed by it. */
  readonly idPointer: string | undefined;
  readonly entries: readonly ModelEntry[];
}

export interface ModelEntry {
  /** Undefined when this record holds no ID where the others do. */
  readonly id: string | undefined;
  readonly record: JsonValue;
}

const LIST_NAMES = words('data models items modellist availablemodels results records list');
const ID_POINTERS = words(`
  /id /model /model_id /modelId /modelID /name /slug /model_name /modelName /key /identifier /ID /Id
  /model/id /model/name
`);

/** What a profile pins of the list's place. */
export interface ListPins {
  readonly list?: string;
  readonly id?: string;
}

/** The first list that model IDs can be read from: where the pins say, else wherever there is one. */
export function findModelList(body: JsonValue, pins: ListPins = {}): ModelList | undefined {
  const lists = places(body, pins.list);
  for (const place of lists) {
    const list = arrayOfModels(place, pins.id);
    if (list) return list;
  }
  for (const place of lists) {
    const list = modelsByKey(place, pins.id);
    if (list) return list;
  }
  return undefined;
}

/** Where a list may be, most plausible first: the pinned place, the root, and two levels below it. */
function places(body: JsonValue, pinned: string | undefined): Found[] {
  const root = { pointer: '', value: body };
  const first = members(root);
  const found = [root, ...first, ...first.flatMap(members)];
  const value = pinned === undefined ? undefined : valueAt(body, pinned);
  return pinned === undefined || value === undefined ? found : [{ pointer: pinned, value }, ...found];
}

function members({ pointer, value }: Found): Found[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value)
    .map(([name, inner]) => ({ rank: rankOf(name), pointer: below(pointer, name), value: inner }))
    .toSorted((one, other) => one.rank - other.rank);
}

function rankOf(name: string): number {
  const rank = LIST_NAMES.indexOf(plainName(name));
  return rank === -1 ? LIST_NAMES.length : rank;
}

function arrayOfModels({ pointer, value }: Found, pinnedId: string | undefined): ModelList | undefined {
  if (!Array.isArray(value)) return undefined;
  if (value.length === 0) return isListName(pointer) ? { pointer, idPointer: '', entries: [] } : undefined;
  const at = pinnedId === undefined ? ['', ...ID_POINTERS] : [pinnedId, '', ...ID_POINTERS];
  const idPointer = mostTelling(value, at);
  if (idPointer === undefined) return undefined;
  return { pointer, idPointer, entries: value.map((record) => ({ id: idAt(record, idPointer), record })) };
}

/** The pointer that most records hold an ID at, the earlier one of two. */
function mostTelling(records: readonly JsonValue[], at: readonly string[]): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const pointer of at) {
    const count = records.filter((record) => idAt(record, pointer) !== undefined).length;
    if (count > most) [best, most] = [pointer, count];
  }
  return best;
}

function modelsByKey({ pointer, value }: Found, pinnedId: string | undefined): ModelList | undefined {
  if (!isJsonObject(value)) return undefined;
  const records = Object.entries(value);
  // An envelope is an object of objects too: its members have the names of lists, not of models.
  const isEnvelope = records.some(([name]) => rankOf(name) < LIST_NAMES.length);
  const keyed = isListName(pointer) && !isEnvelope && records.every(([, record]) => isJsonObject(record));
  if (!keyed || (records.length === 0 && pointer === '')) return undefined;
  const entries = records.map(([name, record]) => ({
    id: pinnedId === undefined ? name : (idAt(record, pinnedId) ?? name),
    record,
  }));
  return { pointer, idPointer: undefined, entries };
}

function isListName(pointer: string): boolean {
  return pointer === '' || rankOf(pointer.slice(pointer.lastIndexOf('/') + 1)) < LIST_NAMES.length;
}

function idAt(record: JsonValue, pointer: string): string | undefined {
  const id = valueAt(record, pointer);
  return isText(id) ? id : undefined;
}
