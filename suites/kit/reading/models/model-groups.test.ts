import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import { groupsIn } from './model-groups.ts';
import { words } from '../words.ts';

const A = { id: 'a' };
const B = { id: 'b' };

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
  ['a list that is none of models', { north: [A], west: [7] }],
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
