import { expect, test } from 'vitest';
import { words } from './words.ts';

test('returns the words of several lines', () => {
  expect(words('\n  one two\n  three\n')).toEqual(['one', 'two', 'three']);
});
