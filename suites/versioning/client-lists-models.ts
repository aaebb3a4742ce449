import type { JsonValue } from '../../fixtures/chats/chat.ts';
import { check } from '../kit/model/check.ts';
import type { Answer } from '../kit/model/exchange.ts';
import { isJsonObject } from '../kit/reading/json.ts';
import { readListing } from '../kit/reading/models/read-models.ts';
import { HOLDS, notExercised, violated } from '../kit/model/ruling.ts';
import type { Survey } from '../kit/model/target-info.ts';
import { clientModels } from './client-stimuli.ts';
import { ofServedClient } from './judge-client.ts';

export const clientListsModels = check({
  id: 'client-lists-models',
  clauses: ['VER-2'],
  title: 'lists its models to the tested client',
  given: clientModels,
  holds: ofServedClient((seen, answer, survey) => {
    const reading = readListing(answer, survey);
    if (reading.kind !== 'models') return notExercised('no list of models was recognised: see MOD-1');
    const listed = reading.list.entries.map(({ id }) => id);
    const ids = idsIn(seen);
    if (JSON.stringify(ids) === JSON.stringify(listed)) return HOLDS;
    return violated('other-models', `the IDs ${listed.join(', ')}`, `the IDs ${ids.join(', ')}`);
  }, listedElsewhere),
});

const PLACE = '/data/*/id';

/** Where the list is, and what an ID is called, is not shown (MOD-3); the client looks in one place only. */
function listedElsewhere(answer: Answer, survey: Survey): string | undefined {
  const reading = readListing(answer, survey);
  if (reading.kind !== 'models') return undefined;
  const { pointer, idPointer, isGrouped } = reading.list;
  const place = `${pointer}/*${isGrouped ? '/*' : ''}${idPointer ?? ''}`;
  return place === PLACE ? undefined : `the client looks for IDs at ${PLACE}, and they are at ${place}`;
}

function idsIn(seen: JsonValue): unknown[] {
  return Array.isArray(seen)
    ? seen.map((model: JsonValue) => (isJsonObject(model) ? model['id'] : undefined))
    : [];
}
