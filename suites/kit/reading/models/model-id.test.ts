import { expect, test } from 'vitest';
import { findIdPointer } from './model-id.ts';

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
