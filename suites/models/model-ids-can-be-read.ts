import { childPointer } from '../kit/reading/json.ts';
import { check } from '../kit/model/check.ts';
import { modelListings } from '../kit/provoking/get-stimulus.ts';
import { HOLDS, violated } from '../kit/model/ruling.ts';
import { ofListing, unrecognisedList } from './judge-listing.ts';

const EXPECTED = 'a list of model records with an ID each';

export const modelIdsCanBeRead = check({
  id: 'model-ids-can-be-read',
  clauses: ['MOD-1'],
  title: 'lists model records from which the model IDs can be read',
  given: modelListings,
  holds: ofListing((reading) => {
    if (reading.kind === 'no-list') return violated('no-list', EXPECTED, reading.reason);
    if (reading.kind === 'unrecognised') return unrecognisedList(reading.reason);
    const { entries, pointer } = reading.list;
    const index = entries.findIndex(({ id }) => id === undefined);
    if (index === -1) return HOLDS;
    const record = JSON.stringify(entries[index]?.record).slice(0, 80);
    return violated(
      'record-without-id',
      EXPECTED,
      `${record} has none where others have one`,
      childPointer(pointer, index),
    );
  }),
});
