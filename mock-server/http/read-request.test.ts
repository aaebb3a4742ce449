import { expect, test } from 'vitest';
import { headerOf } from './read-request.ts';

test('returns a header given its name in any case, and joins repeated headers', () => {
  const rawHeaders = ['Host', 'a', 'X-Twice', '1', 'x-twice', '2', 'X-Empty', ''];
  expect(headerOf({ rawHeaders }, 'host')).toBe('a');
  expect(headerOf({ rawHeaders }, 'x-twice')).toBe('1, 2');
  expect(headerOf({ rawHeaders }, 'x-empty')).toBe('');
  expect(headerOf({ rawHeaders }, 'absent')).toBeUndefined();
});
