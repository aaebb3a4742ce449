import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import { isJsonObject } from '../is-json-object.ts';
import { below } from '../json-pointer.ts';
import { ID_POINTERS, idAt } from './model-id.ts';

/** How many other places of the ID are of interest: trying one costs a request. */
export const MOST_RIVALS = 3;

/**
 * Other places where records may as well hold the IDs of their models (MOD-3), likeliest first: each record has a text
 * of its own there, without a space, and another than at the place that was found.
 */
export function rivalIdPointers(records: readonly JsonValue[], found: string | undefined): readonly string[] {
  const [first] = records;
  if (found === undefined || found === '' || !isJsonObject(first)) return [];
  const own = Object.keys(first).map((name) => below('', name));
  const known = ID_POINTERS.filter((pointer) => idAt(first, pointer) !== undefined);
  return [...new Set([...known, ...own])]
    .filter((pointer) => pointer !== found && tellsApart(records, pointer, found))
    .slice(0, MOST_RIVALS);
}

function tellsApart(records: readonly JsonValue[], pointer: string, found: string): boolean {
  const ids = records.map((record) => idAt(record, pointer));
  if (new Set(ids).size < records.length) return false;
  return records.every((record, index) => {
    const id = ids[index];
    return id !== undefined && !/\s/.test(id) && id !== idAt(record, found);
  });
}
