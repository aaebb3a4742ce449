import type { OpenPointName } from '../../fixtures/clauses/open-points.ts';
import { check } from '../kit/model/check.ts';
import { isJsonObject } from '../kit/reading/json.ts';
import { modelListings } from '../kit/provoking/get-stimulus.ts';
import { observePoint } from '../kit/judging/observations.ts';
import { type Observation, observed } from '../kit/model/ruling.ts';
import { ofListing, unrecognisedList } from './judge-listing.ts';

export const modelRecordNames = check({
  id: 'model-record-names',
  clauses: ['MOD-3'],
  title: 'names the fields of a model record in its own way',
  given: modelListings,
  holds: ofListing((reading, profile) => {
    if (reading.kind !== 'models') {
      const pinned = [
        ...observePoint('models.list', undefined, profile),
        ...observePoint('models.id', undefined, profile),
      ];
      return pinned.length > 0 ? observed(...pinned) : unrecognisedList(reading.reason);
    }
    const { pointer, idPointer, entries } = reading.list;
    const names = entries.flatMap(({ record }) => (isJsonObject(record) ? Object.keys(record) : []));
    return observed(
      saw('models.list', pointer),
      ...(entries.length === 0 ? [] : observePoint('models.id', idPointer, profile)),
      saw('models.fields', [...new Set(names)].toSorted()),
    );
  }),
});

function saw(point: OpenPointName, value: Observation['value']): Observation {
  return { point, value };
}
