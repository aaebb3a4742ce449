import { expect, test } from 'vitest';
import type { Check } from '../engine/model/check.ts';
import type { Profile } from '../engine/model/target.ts';
import { type AnswerForTest, answeredGet } from '../engine/test-support/exchange.ts';
import { ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { modelIdsCanBeRead, modelRecordNames, modelsCanBeListed } from './models-listed.ts';

function ruling(check: Check, answer: AnswerForTest, profile: Profile = {}) {
  return ruled(check, { exchanges: [answeredGet('/models', answer)] }, infoForTest({ profile }));
}

test.each([
  ['the convention', { object: 'list', data: [{ id: 'a', object: 'model' }] }],
  ['an array of IDs', ['a', 'b']],
  ['records keyed by ID', { models: { a: {}, b: {} } }],
  ['an empty list', { data: [] }],
])('both checks hold given %s', (_, body) => {
  expect([ruling(modelsCanBeListed, { body }).kind, ruling(modelIdsCanBeRead, { body }).kind]).toEqual([
    'holds',
    'holds',
  ]);
});

const UNKNOWN = { catalogue: [{ tag: 'a' }, { tag: 'b' }] };
const REFUSAL = { status: 404, body: { error: { code: 'x', message: 'y' } } };
const NOT_LISTED = { finding: { code: 'not-listed' } };

test.each<[Check, AnswerForTest, object, Profile?]>([
  ...['null', '3', 'a, b', ''].map((body): [Check, AnswerForTest, object] => [
    modelIdsCanBeRead,
    { body },
    { kind: 'violated', finding: { code: 'no-list' } },
  ]),
  [
    modelIdsCanBeRead,
    { body: { data: [{ id: 'a' }, { owned_by: 'x' }] } },
    { kind: 'violated', finding: { code: 'record-without-id', path: '/data/1' } },
  ],
  [
    modelIdsCanBeRead,
    { body: UNKNOWN },
    { kind: 'not-exercised', hint: expect.stringContaining('"models.id"') },
  ],
  [
    modelIdsCanBeRead,
    { body: UNKNOWN },
    { kind: 'holds' },
    { pins: { 'models.list': '/catalogue', 'models.id': '/tag' } },
  ],
  [modelIdsCanBeRead, REFUSAL, { kind: 'not-exercised' }],
  [modelsCanBeListed, REFUSAL, NOT_LISTED],
  [modelsCanBeListed, { body: 'OK' }, NOT_LISTED],
  [modelsCanBeListed, { body: '7' }, NOT_LISTED],
  [modelsCanBeListed, { body: { choices: [] } }, NOT_LISTED],
  [modelsCanBeListed, { body: { ok: true } }, { kind: 'holds' }],
  [modelsCanBeListed, { status: 429, body: {} }, { kind: 'inconclusive' }],
])('$0.id: rules on %j: %j', (check, answer, expected, profile = {}) => {
  expect(ruling(check, answer, profile)).toMatchObject(expected);
});

test('observes where the list and its IDs are, and the fields of all records', () => {
  const body = {
    data: [
      { id: 'a', owner: 'x' },
      { id: 'b', context: 1 },
    ],
  };
  expect(ruling(modelRecordNames, { body })).toEqual({
    kind: 'observed',
    observations: [
      { point: 'models.list', value: '/data' },
      { point: 'models.id', value: '/id' },
      { point: 'models.fields', value: ['context', 'id', 'owner'] },
    ],
  });
});
test('does not observe the place of the IDs given an empty list, pinned or not', () => {
  const seen = {
    kind: 'observed',
    observations: [
      { point: 'models.list', value: '/data' },
      { point: 'models.fields', value: [] },
    ],
  };
  expect(ruling(modelRecordNames, { body: { data: [] } })).toEqual(seen);
  expect(ruling(modelRecordNames, { body: { data: [] } }, { pins: { 'models.id': '/id' } })).toEqual(seen);
});

test('observes null at what is pinned given no list, and leaves it open given no pin', () => {
  const pins = { 'models.list': '/data', 'models.id': '/id' };
  expect(ruling(modelRecordNames, { body: '3' }, { pins })).toEqual({
    kind: 'observed',
    observations: [
      { point: 'models.list', value: null },
      { point: 'models.id', value: null },
    ],
  });
  expect(ruling(modelRecordNames, { body: '3' })).toMatchObject({
    kind: 'not-exercised',
    hint: expect.stringContaining('"models.list"'),
  });
});
