import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import { valueAt, isJsonObject, childPointer } from '../json.ts';
import { isText, words } from '../names.ts';

/** Where a record may hold the ID of its model, likeliest first. */
const ID_POINTERS = words(`
  /id /model /model_id /modelId /modelID /name /slug /model_name /modelName /key /identifier /ID /Id
  /model/id /model/name
`);
/** Where a record names its model when `id` is the ID of the record. */
const EXPLICIT_IDS = words('/model_id /modelId /modelID /model');

/** Where records hold the model IDs: at the pinned place, or else where most of them have one; `''`: the records are IDs. */
export function findIdPointer(records: readonly JsonValue[], pinned: string | undefined): string | undefined {
  const best = pinned === undefined ? undefined : commonestPointer(records, [pinned, '', ...ID_POINTERS]);
  if (best !== undefined && best === pinned) return pinned;
  return ofModel(records, commonestPointer(records, ['', ...ID_POINTERS]));
}

export function idAt(record: JsonValue, pointer: string): string | undefined {
  const id = valueAt(record, pointer);
  return isText(id) ? id : undefined;
}

/** The pointer at which most records hold an ID; of two equal ones the first. */
function commonestPointer(records: readonly JsonValue[], at: readonly string[]): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const pointer of at) {
    const count = records.filter((record) => idAt(record, pointer) !== undefined).length;
    if (count > most) [best, most] = [pointer, count];
  }
  return best;
}

const OPAQUE = /^[0-9a-f]{8}-?[0-9a-f-]{8,}$/i;

/** Beside a `model_id` with a name, an opaque `id` belongs to the record, not to the model. */
function ofModel(records: readonly JsonValue[], found: string | undefined): string | undefined {
  if (found !== '/id') return found;
  if (!records.every((record) => OPAQUE.test(idAt(record, found) ?? ''))) return found;
  const named = EXPLICIT_IDS.find((pointer) =>
    records.every((record) => idAt(record, pointer) !== undefined),
  );
  return named ?? found;
}

/** How many other places are returned: trying one costs a request. */
const MAX_OTHER_ID_POINTERS = 3;

/**
 * Other places where records may hold the model IDs (MOD-3), likeliest first: each record has a unique text there,
 * without a space, and different from the one at the place that was found.
 */
export function otherIdPointers(records: readonly JsonValue[], found: string | undefined): readonly string[] {
  const [first] = records;
  if (found === undefined || found === '' || !isJsonObject(first)) return [];
  const own = Object.keys(first).map((name) => childPointer('', name));
  const known = ID_POINTERS.filter((pointer) => idAt(first, pointer) !== undefined);
  return [...new Set([...known, ...own])]
    .filter((pointer) => pointer !== found && identifiesRecords(records, pointer, found))
    .slice(0, MAX_OTHER_ID_POINTERS);
}

function identifiesRecords(records: readonly JsonValue[], pointer: string, found: string): boolean {
  const ids = records.map((record) => idAt(record, pointer));
  if (new Set(ids).size < records.length) return false;
  return records.every((record, index) => {
    const id = ids[index];
    return id !== undefined && !/\s/.test(id) && id !== idAt(record, found);
  });
}
