import type { OpenPointName } from '../../fixtures/clauses/open-points.ts';
import { check } from '../kit/model/check.ts';
import { isJsonObject } from '../kit/reading/is-json-object.ts';
import { modelListings } from '../kit/provoking/model-listings-stimulus.ts';
import { observedPlace } from '../kit/judging/observed-place.ts';
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
        ...observedPlace('models.list', undefined, profile),
        ...observedPlace('models.id', undefined, profile),
      ];
      return pinned.length > 0 ? observed(...pinned) : unrecognisedList(reading.reason);
    }
    const { pointer, idPointer, entries } = reading.list;
    const names = entries.flatMap(({ record }) => (isJsonObject(record) ? Object.keys(record) : []));
    return observed(
      saw('models.list', pointer),
      ...(entries.length === 0 ? [] : observedPlace('models.id', idPointer, profile)),
      saw('models.fields', [...new Set(names)].toSorted()),
    );
  }),
});

function saw(point: OpenPointName, value: Observation['value']): Observation {
  return { point, value };
}
