import { expect, test } from 'vitest';
import { answerOf } from '../answer-of.ts';
import { type AnswerForTest, answeredGet } from '../../test-support/exchange.ts';
import type { Profile } from '../../model/profile.ts';
import { readModels } from './read-models.ts';

function read(body: AnswerForTest['body'], profile: Profile = {}) {
  return readModels(answerOf(answeredGet('/models', { body: body ?? '' })), profile);
}

function ids(body: AnswerForTest['body'], profile?: Profile): string[] | string {
  const reading = read(body, profile);
  return reading.kind === 'models' ? reading.models.map(({ id }) => id) : reading.kind;
}

const BOTH = ['a', 'b'];

test.each([
  ['the convention', { object: 'list', data: [{ id: 'a' }, { id: 'b' }] }],
  ['an array at the root', [{ id: 'a' }, { id: 'b' }]],
  ['bare IDs', ['a', 'b']],
  ['bare IDs under models', { models: ['a', 'b'] }],
  ['another name for the ID', { models: [{ model_id: 'a' }, { model_id: 'b' }] }],
  [
    'a numeric id beside the name',
    {
      items: [
        { id: 1, name: 'a' },
        { id: 2, name: 'b' },
      ],
    },
  ],
  ['a list one level down', { result: { models: [{ slug: 'a' }, { slug: 'b' }] } }],
  ['a list under an unheard-of name', { catalogue: [{ id: 'a' }, { id: 'b' }] }],
  ['records keyed by ID', { models: { a: { context: 1 }, b: {} } }],
  ['records keyed by ID at the root', { a: { context: 1 }, b: {} }],
  ['keyed records in an envelope', { data: { models: { a: {}, b: {} } } }],
  ['IDs said twice', { data: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] }],
])('reads the IDs given %s', (_, body) => {
  expect(ids(body)).toEqual(BOTH);
});

test('reads an empty list', () => {
  expect([ids([]), ids({ data: [] }), ids({ models: {} })]).toEqual([[], [], []]);
});

test('prefers the list that is named for models', () => {
  expect(ids({ aliases: [{ id: 'x' }], data: [{ id: 'a' }, { id: 'b' }] })).toEqual(BOTH);
});

test('reads where the profile pins the list and the ID', () => {
  const body = {
    data: [{ id: 'x' }],
    mine: [
      { id: 'u1', tag: 'a' },
      { id: 'u2', tag: 'b' },
    ],
  };
  expect(ids(body, { pins: { 'models.list': '/mine', 'models.id': '/tag' } })).toEqual(BOTH);
});

test('reads the names as IDs given a pinned object of anything, whatever lists stand beside it', () => {
  const body = { data: [{ id: 'x' }], catalogue: { a: 'the first', b: null } };
  expect(ids(body, { pins: { 'models.list': '/catalogue' } })).toEqual(BOTH);
});

test('reads the list where it really is given a pinned place that holds another thing', () => {
  const body = { object: 'list', data: [{ id: 'a', key: 'A' }, { id: 'b' }] };
  for (const list of ['', '/data/0', '/object', '/models'])
    expect(ids(body, { pins: { 'models.list': list, 'models.id': '/tag' } })).toEqual(BOTH);
});

test('reads an empty list under any name given a pin to it', () => {
  expect(ids({ verzeichnis: [] }, { pins: { 'models.list': '/verzeichnis' } })).toEqual([]);
});

test('takes the name of the model for its ID given opaque IDs of records beside it', () => {
  const uuid = (digit: number) => `0f2c6a1e-7d4b-4c11-9a55-00000000000${digit}`;
  const data = [
    { id: uuid(1), model_id: 'a' },
    { id: uuid(2), model_id: 'b' },
  ];
  expect(ids({ data })).toEqual(BOTH);
  expect(ids({ data }, { pins: { 'models.id': '/id' } })).toEqual([uuid(1), uuid(2)]);
});

test('does not take the names of groups for those of models', () => {
  const body = { groups: [{ name: 'small ones', models: [{ id: 'a' }, { id: 'b' }] }] };
  expect(ids(body)).toBe('unrecognised');
  expect(ids(body, { pins: { 'models.list': '/groups/0/models' } })).toEqual(BOTH);
});

test('does not take the names of envelopes for those of models', () => {
  expect([
    ids({ catalogue: { entries: [{ tag: { value: 'a' } }] } }),
    ids({ catalogue: {}, meta: {} }),
  ]).toEqual(['unrecognised', 'unrecognised']);
});

test('leaves the ID of one record undefined where the others have one', () => {
  const reading = read({ data: [{ id: 'a' }, { object: 'model' }] });
  expect(reading.kind === 'models' && reading.list.entries.map(({ id }) => id)).toEqual(['a', undefined]);
});

test('says that there is no list given a scalar, null, or what is no JSON', () => {
  expect([ids('7'), ids('null'), ids('"a"'), ids('<html>'), ids('')]).toEqual(Array(5).fill('no-list'));
});

test('does not recognise an object without any list', () => {
  expect([ids({}), ids({ data: [1, 2] }), ids({ ok: true })]).toEqual(Array(3).fill('unrecognised'));
});

test('reads context size, price and vision of a record, and lets the profile win', () => {
  const body = {
    data: [
      { id: 'a', context_length: 1024, pricing: { prompt: '0.1', completion: '0.2', image: '9' } },
      { id: 'b', limits: { contextWindow: 8 }, architecture: { input_modalities: ['text', 'image'] } },
    ],
  };
  const reading = read(body, { models: { b: { contextTokens: 16 } } });
  expect(reading.kind === 'models' && reading.models).toEqual([
    { id: 'a', contextTokens: 1024, price: expect.closeTo(0.3) },
    { id: 'b', contextTokens: 16, vision: true },
  ]);
});

test('does not take a size that is told in thousands for one in tokens', () => {
  const reading = read({ data: [{ id: 'a', context: 128 }] });
  expect(reading.kind === 'models' && reading.models).toEqual([{ id: 'a' }]);
});

test('does not take the limit of the output for the context size', () => {
  const reading = read({ data: [{ id: 'a', max_completion_tokens: 100, max_input_tokens: 50 }] });
  expect(reading.kind === 'models' && reading.models).toEqual([{ id: 'a' }]);
});

test('takes the first record of an ID, leaves out one without, and says only what is said', () => {
  const body = {
    data: [{ id: 'a', context_length: 256 }, { id: 'a', context_length: 512 }, { q: 1 }, { id: 'b' }],
  };
  const reading = read(body);
  expect(reading.kind === 'models' && reading.models).toStrictEqual([
    { id: 'a', contextTokens: 256 },
    { id: 'b' },
  ]);
  const small = read({ data: [{ id: 'a', context_length: 255, price: 1, vision: false }] });
  expect(small.kind === 'models' && small.models).toStrictEqual([{ id: 'a', price: 1, vision: false }]);
});
