import { expect, test } from 'vitest';
import type { Profile, TargetInfo } from '../../model/target.ts';
import { type AnswerForTest, answeredGet } from '../../test-support/exchange.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { answerOf } from '../answers.ts';
import { readModels, readListing, withModelIdAt, discoverModels } from './read-models.ts';

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

test('says that there is no list given an error, or a completion', () => {
  const error = { error: { code: 'x', message: 'No.' } };
  expect([ids(error), ids({ choices: [] }), ids({ choices: [{ message: { content: 'Hi.' } }] })]).toEqual(
    Array(3).fill('no-list'),
  );
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

test('does not take a size in thousands for one in tokens', () => {
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

function idsListed(info: Partial<TargetInfo>): string[] | string {
  const data = [
    { id: 'm_1', vogel: 'a' },
    { id: 'm_2', vogel: 'b' },
  ];
  const reading = readListing(answerOf(answeredGet('/models', { body: { data } })), infoForTest(info));
  return reading.kind === 'models' ? reading.models.map(({ id }) => id) : reading.kind;
}

const PINNED = { pins: { 'models.id': '/vogel' } };

test('reads the IDs where the run found those that are served, whatever the profile pins', () => {
  expect(idsListed({ modelIdAt: '/vogel' })).toEqual(['a', 'b']);
  expect(idsListed({ modelIdAt: '/id', profile: PINNED })).toEqual(['m_1', 'm_2']);
});

test('reads the IDs as the profile says given a run that found no other place', () => {
  expect(idsListed({})).toEqual(['m_1', 'm_2']);
  expect(idsListed({ profile: PINNED })).toEqual(['a', 'b']);
});

test('leaves what else a profile says as it is', () => {
  const profile = { name: 'ours', pins: { 'models.list': '/data', 'models.id': '/id' } };
  expect(withModelIdAt(profile, '/vogel')).toEqual({
    name: 'ours',
    pins: { 'models.list': '/data', 'models.id': '/vogel' },
  });
  expect(withModelIdAt({}, '/vogel')).toEqual(PINNED);
});

const answer = (body: object) => answerOf(answeredGet('/any', { body }));

const LISTING = answer({
  data: [
    { id: 'dear', price: 9, vision: true },
    { id: 'cheap', price: 1 },
    { id: 'unpriced', vision: true },
  ],
});

function idsUsed(...given: Parameters<typeof discoverModels>): string[] {
  const discovered = discoverModels(...given);
  return discovered.kind === 'models' ? discovered.models.map(({ id }) => id) : [];
}

test('orders by price, what has none last', () => {
  expect(idsUsed(LISTING, undefined, {})).toEqual(['cheap', 'dear', 'unpriced']);
});

test('orders by price however each record says it, keeping the order of the list among equals', () => {
  const listing = answer({
    data: [
      { id: 'in-parts', pricing: { prompt: '0.003', completion: '0.006' } },
      { id: 'free', pricing: { prompt: '0', completion: '0' } },
      { id: 'flat', price: 0.002 },
      { id: 'also-free', input_price: 0, output_price: '0' },
      { id: 'nameless', owned_by: 'x' },
    ],
  });
  expect(idsUsed(listing, undefined, {})).toEqual(['free', 'also-free', 'flat', 'in-parts', 'nameless']);
});

test('puts the model of the profile first', () => {
  expect(idsUsed(LISTING, undefined, { model: 'unpriced' })).toEqual(['unpriced', 'cheap', 'dear']);
});

test('takes the word of the vision endpoint over the record, and that of the profile over both', () => {
  const profile = { models: { unpriced: { vision: true } } };
  const discovered = discoverModels(LISTING, answer({ models: ['cheap'] }), profile);
  expect(discovered.kind === 'models' && discovered.models.map(({ vision }) => vision)).toEqual([
    true,
    false,
    true,
  ]);
});

test('keeps the word of the record where the vision endpoint cannot be read', () => {
  const discovered = discoverModels(LISTING, answer({ what: 'ever' }), {});
  expect(discovered.kind === 'models' && discovered.models.map(({ vision }) => vision)).toEqual([
    undefined,
    true,
    true,
  ]);
});

test('concludes nothing given a vision answer that names no listed ID', () => {
  const discovered = discoverModels(LISTING, answer({ models: ['Dear One'] }), {});
  expect(discovered.kind === 'models' && discovered.models.map(({ vision }) => vision)).toEqual([
    undefined,
    true,
    true,
  ]);
});

test('says why the models cannot be read', () => {
  expect(discoverModels(answer({}), undefined, {}).kind).toBe('unread');
});

/** Which models are said to have vision, given what the vision endpoint says. */
function visionOf(body: object, listing: object = { data: [{ id: 'a', vision: true }, { id: 'b' }] }) {
  const discovered = discoverModels(answer(listing), answer(body), {});
  return discovered.kind === 'models' ? discovered.models : [];
}

test('removes vision from every model where the vision endpoint denies it', () => {
  const none = [
    { id: 'a', vision: false },
    { id: 'b', vision: false },
  ];
  expect(visionOf({ vision: false })).toEqual(none);
  expect(visionOf({ models: [] })).toEqual(none);
});

test('falls back to the records given a single flag of the vision endpoint, or unknown IDs', () => {
  const said = [{ id: 'a', vision: true }, { id: 'b' }];
  expect(visionOf({ vision: true })).toStrictEqual(said);
  expect(visionOf({ models: ['Model A'] })).toStrictEqual(said);
});

test('knows the list of the vision endpoint by the models that are listed', () => {
  expect(visionOf({ seers: ['b'] })).toEqual([
    { id: 'a', vision: false },
    { id: 'b', vision: true },
  ]);
});
