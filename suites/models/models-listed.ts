import { byEnd, notServed } from '../engine/inputs/judging/is-served.ts';
import { observationsOf } from '../engine/inputs/judging/observations.ts';
import { modelListings } from '../engine/inputs/provoking/listed-models.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import { HOLDS, notExercised, violated, observed, type Ruling } from '../engine/model/ruling.ts';
import type { Profile } from '../engine/model/target.ts';
import { answerOf } from '../engine/reading/answers.ts';
import { childPointer, isJsonObject, jsonText } from '../engine/reading/json.ts';
import { readListing, type ModelsReading } from '../engine/reading/models/read-models.ts';

function judgeListing(judge: (reading: ModelsReading, profile: Profile) => Ruling): Judgement {
  return ({ exchanges: [exchange] }, info) =>
    notServed(exchange, info) ?? judge(readListing(answerOf(exchange), info), info.profile);
}

function listNotRecognised(reason: string): Ruling {
  return notExercised(reason, 'pin "models.list" and "models.id" in a profile');
}

function notListed(received: string): Ruling {
  return violated('not-listed', 'a list of models', received);
}

export const modelsCanBeListed = check({
  id: 'models-can-be-listed',
  clauses: ['SVC-2'],
  title: 'answers an authorized GET of the model list',
  given: modelListings,
  holds: ({ exchanges: [exchange] }, info) =>
    byEnd(exchange, info, {
      served: (received) => {
        const reading = readListing(answerOf(exchange), info);
        return reading.kind === 'no-list' ? notListed(`${received}: ${reading.reason}`) : HOLDS;
      },
      otherwise: notListed,
    }),
});

const EXPECTED = 'a list of model records with an ID each';

export const modelIdsCanBeRead = check({
  id: 'model-ids-can-be-read',
  clauses: ['MOD-1'],
  title: 'lists model records from which the model IDs can be read',
  given: modelListings,
  holds: judgeListing((reading) => {
    if (reading.kind === 'no-list') return violated('no-list', EXPECTED, reading.reason);
    if (reading.kind === 'unrecognised') return listNotRecognised(reading.reason);
    const { entries, pointer } = reading.list;
    const index = entries.findIndex(({ id }) => id === undefined);
    if (index === -1) return HOLDS;
    const record = jsonText(entries[index]?.record).slice(0, 80);
    return violated('record-without-id', EXPECTED, `${record} without an ID`, childPointer(pointer, index));
  }),
});

export const modelRecordNames = check({
  id: 'model-record-names',
  clauses: ['MOD-3'],
  title: 'chooses the shape of the model list and the fields of a model record',
  given: modelListings,
  holds: judgeListing((reading, profile) => {
    if (reading.kind !== 'models') {
      const pinned = observationsOf({ 'models.list': undefined, 'models.id': undefined }, profile);
      return pinned.length > 0 ? observed(...pinned) : listNotRecognised(reading.reason);
    }
    const { pointer, idPointer, entries } = reading.list;
    const names = entries.flatMap(({ record }) => (isJsonObject(record) ? Object.keys(record) : []));
    const found = {
      'models.list': pointer,
      ...(entries.length > 0 && { 'models.id': idPointer }),
      'models.fields': [...new Set(names)].toSorted(),
    };
    return observed(...observationsOf(found, profile));
  }),
});
