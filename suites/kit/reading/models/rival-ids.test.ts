import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import { rivalIdPointers } from './rival-ids.ts';

const A = { id: 'm_1', owner: 'x', vogel: 'a', slug: 'a-1', title: 'The A' };
const B = { id: 'm_2', owner: 'x', vogel: 'b', slug: 'b-1', title: 'The B' };

test('finds every other text that tells records apart and has no space, known names first', () => {
  expect(rivalIdPointers([A, B], '/id')).toEqual(['/slug', '/vogel']);
  expect(rivalIdPointers([A, B], '/slug')).toEqual(['/id', '/vogel']);
});

test('finds no more than three', () => {
  const record = { id: '1', p: 'p', q: 'q', r: 'r', s: 's' };
  expect(rivalIdPointers([record], '/id')).toEqual(['/p', '/q', '/r']);
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
  expect(rivalIdPointers(records, found)).toEqual([]);
});
