import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import { findIdPointer, otherIdPointers } from './model-id.ts';

const UUID = '0b9e9c1e-7a54-4a3e-8a43-2f0b5a9c0d11';
const OTHER_UUID = 'deadbeefdeadbeefdeadbeefdeadbeef';

test('finds IDs that are the records themselves, even where a pin knows of some others', () => {
  expect(findIdPointer(['a', 'b'], undefined)).toBe('');
  expect(findIdPointer(['a', 'b', { id: 'c' }], '/id')).toBe('');
});

test('prefers the name to the number of a record', () => {
  expect(findIdPointer([{ id: UUID, model_id: 'a' }], undefined)).toBe('/model_id');
  expect(findIdPointer([{ id: OTHER_UUID, model: 'a' }], undefined)).toBe('/model');
});

test.each([
  [
    { id: 'a', model: 'x' },
    { id: 'b', model: 'y' },
  ],
  [
    { id: UUID, model: 'x' },
    { id: 'b', model: 'y' },
  ],
  [{ id: UUID, model: 'x' }, { id: OTHER_UUID }],
  [{ id: `a-${UUID}`, model: 'x' }],
  [{ id: `${UUID} a`, model: 'x' }],
  [{ id: 'deadbeef1', model: 'x' }],
])('takes the ID of a record for that of its model: %j', (...records) => {
  expect(findIdPointer(records, undefined)).toBe('/id');
});

const A = { id: 'm_1', owner: 'x', vogel: 'a', slug: 'a-1', title: 'The A' };
const B = { id: 'm_2', owner: 'x', vogel: 'b', slug: 'b-1', title: 'The B' };

test('finds every other text without spaces that is unique to its record, known names first', () => {
  expect(otherIdPointers([A, B], '/id')).toEqual(['/slug', '/vogel']);
  expect(otherIdPointers([A, B], '/slug')).toEqual(['/id', '/vogel']);
});

test('finds no more than three', () => {
  const record = { id: '1', p: 'p', q: 'q', r: 'r', s: 's' };
  expect(otherIdPointers([record], '/id')).toEqual(['/p', '/q', '/r']);
});

test.each<[string, readonly JsonValue[], string | undefined]>([
  ['texts for records', ['a', 'b'], ''],
  ['records where the IDs themselves were to stand', [A], ''],
  ['records by key', [A, B], undefined],
  ['no records', [], '/id'],
  ['a member that one record lacks', [{ id: 'a', n: 'b' }, { id: 'c' }], '/id'],
  ['the same ID twice', [{ id: 'a', model: 'a' }], '/id'],
  ['names of members that have to be escaped, and texts that are empty', [{ id: 'a', n: '' }], '/id'],
])('finds none given %s', (_, records, found) => {
  expect(otherIdPointers(records, found)).toEqual([]);
});
