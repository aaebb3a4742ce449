import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import { findModelList, otherIdPointers } from './model-list.ts';

const A = { id: 'a' };
const B = { id: 'b' };
const list = (...records: JsonValue[]) => records;

/** Where the list and its IDs are, and the IDs. */
function found(body: JsonValue, pins: Record<string, string> = {}): string | undefined {
  const read = findModelList(body, { pins });
  return read && `${read.pointer} ${read.idPointer ?? 'keys'}: ${read.entries.map(({ id }) => id).join()}`;
}

test.each<[JsonValue, string]>([
  [{ object: 'list', data: [A, B] }, '/data /id: a,b'],
  [{ models: [A, B] }, '/models /id: a,b'],
  [[A, B], ' /id: a,b'],
  [['a', 'b'], ' : a,b'],
  [{ models: ['a', 'b'] }, '/models : a,b'],
  [{ aliases: [{ id: 'x' }], data: [A, B] }, '/data /id: a,b'],
  [{ data: [{ model_id: 'a' }, { model_id: 'b' }] }, '/data /model_id: a,b'],
  [{ data: list({ id: 1, name: 'a' }, { id: 2, name: 'b' }) }, '/data /name: a,b'],
  [{ data: [{ model: { id: 'a' } }, { model: { id: 'b' } }] }, '/data /model/id: a,b'],
  [{ data: [A, { object: 'model' }] }, '/data /id: a,'],
  [{ data: [{ name: 'x' }, { id: 'a', name: 'y' }, { id: 'b', name: 'z' }] }, '/data /id: ,a,b'],
  [[{ id: 'a', models: [{}] }, B], ' /id: a,b'],
  [{ models: { a: { context: 1 }, b: {} } }, '/models keys: a,b'],
  [{ items: [A, B] }, '/items /id: a,b'],
  [{ result: { models: [A, B] } }, '/result/models /id: a,b'],
  [{ data: [] }, '/data : '],
  [[], ' : '],
])('reads the list of %j', (body, expected) => {
  expect(found(body)).toBe(expected);
});

test.each<[string, JsonValue]>([
  ['an object', {}],
  ['lists of other names', { scopes: ['a'], formats: [] }],
  ['lists of lists', [[A], [B]]],
  ['numbers', { data: [1, 2] }],
  ['records without an ID', [{ q: 1 }, { q: 2 }]],
  ['an envelope', { data: { total: 1, items: [A] } }],
  ['an envelope by the name of a list', { models: { data: {}, page: {} } }],
  ['lists by group', { data: { north: [A], west: [B] } }],
  ['a list of groups', list({ name: 'g', models: [A] }, { name: 'h', models: [B] })],
])('reads no list from %s', (_, body) => {
  expect(found(body)).toBeUndefined();
});

test.each<[JsonValue, Record<string, string>, string]>([
  [{ data: [A], q: [{ id: 'u', tag: 'a' }] }, { 'models.list': '/q', 'models.id': '/tag' }, '/q /tag: a'],
  [{ data: { total: 1, items: [A] } }, { 'models.list': '/data/items' }, '/data/items /id: a'],
  [{ all: [{ name: 'g', models: [A] }] }, { 'models.list': '/all/0/models' }, '/all/0/models /id: a'],
  [{ catalogue: { x: {}, y: {} }, data: [A] }, { 'models.list': '/catalogue' }, '/catalogue keys: x,y'],
  [{ verzeichnis: [] }, { 'models.list': '/verzeichnis' }, '/verzeichnis : '],
  // What is pinned is something else.
  [{ object: 'list', data: [A, B] }, { 'models.list': '', 'models.id': '/tag' }, '/data /id: a,b'],
  [{ object: 'list', data: [A, B] }, { 'models.list': '/data/0' }, '/data /id: a,b'],
  [{ object: 'list', data: [A, B] }, { 'models.list': '/object', 'models.id': '' }, '/data /id: a,b'],
])('reads %j where a profile pins %j', (body, pins, expected) => {
  expect(found(body, pins)).toBe(expected);
});

const others = (body: JsonValue, pins: Record<string, string> = {}) => {
  const read = findModelList(body, { pins });
  return read && otherIdPointers(read);
};

const FIRST = { id: 'm_1', owner: 'x', name: 'same', vogel: 'a', slug: 'a-1', key: 'k', title: 'The A' };
const SECOND = { id: 'm_2', owner: 'x', name: 'same', vogel: 'b', slug: 'b-1', title: 'The B' };

test('finds every other text without spaces that is unique to its record, known names first', () => {
  expect(others([FIRST, SECOND])).toEqual(['/slug', '/vogel']);
  expect(others([FIRST, SECOND], { 'models.id': '/slug' })).toEqual(['/id', '/vogel']);
  expect(others([{ id: '1', p: 'p', q: 'q', r: 'r', s: 's' }])).toEqual(['/p', '/q', '/r']);
});

test.each<[string, JsonValue]>([
  ['texts for records', ['a', 'b']],
  ['records by key', { models: { a: FIRST, b: SECOND } }],
  ['no records', []],
  ['a member that one record lacks', [{ id: 'a', n: 'b' }, { id: 'c' }]],
  ['the same ID twice', [{ id: 'a', model: 'a' }]],
  ['the same name twice', list({ id: 'a', name: 'n' }, { id: 'b', name: 'n' })],
  ['a name of two words', [{ id: 'a', name: 'The A' }]],
  ['an empty text', [{ id: 'a', name: '' }]],
])('finds no other place given %s', (_, body) => {
  expect(others(body)).toEqual([]);
});
