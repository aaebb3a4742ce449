import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import { words } from '../names.ts';
import { findModelList, type ListPins, groupsIn } from './model-list.ts';

const ids = (body: JsonValue, pins?: ListPins) => findModelList(body, pins)?.entries.map(({ id }) => id);

const A = { id: 'a' };
const B = { id: 'b' };

test('reads an empty list by its name, or where it is pinned, and no other', () => {
  expect(findModelList({ data: [] })).toEqual({ pointer: '/data', idPointer: '', entries: [] });
  expect(findModelList({ formats: [] })).toBeUndefined();
  expect(ids({ formats: [] }, { list: '/formats' })).toEqual([]);
});

test('reads the list with models in it given an empty one before it, and only under the name of a list', () => {
  expect(ids({ data: [], models: [A] })).toEqual(['a']);
  expect(ids({ data: [], warnings: [A] })).toEqual([]);
});

test.each<[string, JsonValue]>([
  ['a list of lists', [[{ id: 'a' }]]],
  [
    'models in groups',
    [
      { name: 'g', models: [{ id: 'a' }] },
      { name: 'h', models: [{ id: 'b' }] },
    ],
  ],
  ['records without an ID', [{ q: 1 }, { q: 2 }]],
  ['what is no group of models that can be called', { available: ['a'], coming_soon: ['b'] }],
  ['lists of texts in what may be a record', { name: 'm', inputs: ['a'], outputs: ['b'] }],
  ['texts beside a list of another shape', { scopes: ['a', 'b'], data: { page: { edges: [{ node: A }] } } }],
])('reads no list from %s', (_, body) => {
  expect(findModelList(body)).toBeUndefined();
});

test.each<[string, JsonValue, readonly string[]]>([
  ['one of which holds a list', [{ id: 'a', models: [{}] }, { id: 'b' }], ['a', 'b']],
  ['with lists of other names', [{ id: 'a', tags: [{}] }], ['a']],
  ['with lists that are not all of objects', [{ id: 'a', models: ['x', {}] }], ['a']],
  ['of one keyed by its ID', { models: { a: {} } }, ['a']],
])('reads records %s', (_, body, expected) => {
  expect(ids(body)).toEqual(expected);
});

test('takes a pinned object for models by key, whatever they hold under names that are no lists', () => {
  expect(ids({ catalogue: { x: [{ id: 'a' }], y: {} } }, { list: '/catalogue' })).toEqual(['x', 'y']);
  const beside = { catalogue: { data: 3, b: {} }, other: {} };
  expect(ids(beside, { list: '/catalogue' })).toEqual(['data', 'b']);
});

test('takes the IDs that records hold at a pinned place, if all do, rather than their keys', () => {
  const pins = { list: '/models', id: '/tag' };
  const whole = { models: { k: { tag: 'a' }, l: { tag: 'b' } } };
  expect(findModelList(whole, pins)).toMatchObject({
    idPointer: '/tag',
    entries: [{ id: 'a' }, { id: 'b' }],
  });
  expect(ids({ models: { k: { tag: 'a' }, l: {} } }, pins)).toEqual(['k', 'l']);
});

test.each<[string, JsonValue]>([
  ['/data', { data: { north: [A], west: [B] } }],
  ['/data', { object: 'list', data: { north: [A], west: [B], total: 2 } }],
  ['', { north: ['a'], west: ['b'], east: [] }],
  ['/providers', { providers: { north: ['a'], west: ['b'] } }],
])('reads all groups of models at %j', (pointer, body) => {
  const list = findModelList(body);
  expect(list).toMatchObject({ pointer, isGrouped: true, entries: [{ id: 'a' }, { id: 'b' }] });
  expect(findModelList(body, { list: pointer })).toEqual(list);
});

test.each<[string, JsonValue, readonly string[]]>([
  ['a list by its name', { recommended: [B], data: [A, B] }, ['a', 'b']],
  ['two lists, one of them not of models', { data: { north: [A, B], west: [{ q: 1 }] } }, ['a', 'b']],
  ['the records of models by key', { models: { m: { inputs: ['a'], outputs: ['b'] } } }, ['m']],
])('takes for no groups %s', (_, body, expected) => {
  expect(ids(body)).toEqual(expected);
});

/** Takes any list for one of models, other than an empty one and lists of numbers. */
function isList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((element) => typeof element !== 'number');
}

const pointers = (value: JsonValue) =>
  groupsIn({ pointer: '/data', value }, isList)?.map(({ pointer }) => pointer);

test('returns every list with the place where it stands', () => {
  expect(groupsIn({ pointer: '/data', value: { north: [A], west: ['b'] } }, isList)).toEqual([
    { pointer: '/data/north', value: [A] },
    { pointer: '/data/west', value: ['b'] },
  ]);
});

test.each<[string, JsonValue]>([
  ['an empty list beside another one', { north: [A], west: [] }],
  ['a count beside lists of records', { north: [A], west: [B], total: 2 }],
  ['a count beside lists of records, one of which is empty', { north: [A], west: [], total: 1 }],
])('finds groups given %s', (_, value) => {
  expect(pointers(value)).toEqual(['/data/north', '/data/west']);
});

test.each<[string, JsonValue]>([
  ['a list of lists', [[A], [B]]],
  ['null', null],
  ['a text', 'ab'],
  ['a single list', { north: [A, B] }],
  ['a list that is not of models', { north: [A], west: [7] }],
  ['empty lists only', { north: [], west: [] }],
  ['a count beside lists of texts', { north: ['a'], west: ['b'], total: 2 }],
  ['a count beside a list of records and one of texts', { north: [A], west: ['b'], total: 2 }],
  ['a count beside a list of both', { north: [A], west: [B, 'c'], total: 3 }],
  ['an object beside lists of records', { north: [A], west: [B], page: { next: null } }],
  ['an object and a count beside lists of records', { north: [A], west: [B], total: 2, page: {} }],
])('finds no groups given %s', (_, value) => {
  expect(pointers(value)).toBeUndefined();
});

const NEGATIONS = words('un no not non');

test.each([
  ...words('available supported listed enabled released callable accessible').flatMap((word) =>
    NEGATIONS.map((negation) => negation + word),
  ),
  ...words(`
    coming Coming-Soon upcoming upcoming_models soon deprecated deprecated_models retired retiredModels legacy
    legacy-models disabled disabled_models planned planned_models hidden denied recommended recommended_models
    default default_models featured featured_models popular warning warnings error errors link links tag tags
    available available_models all
  `),
])('takes a list named %s for no group', (name) => {
  expect(pointers({ north: [A], [name]: [B] })).toBeUndefined();
});

test.each(
  words(`
    unlisted_co unavailablex not_default non_retired notable nonstop forthcoming illegacy monsoon sooner hidden_door
    popularis errorless linkup tagged hashtags allegro small
  `),
)('takes a list named %s for a group', (name) => {
  expect(pointers({ north: [A], [name]: [B] })).toEqual(['/data/north', `/data/${name}`]);
});
