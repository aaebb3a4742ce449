import { expect, test } from 'vitest';
import { cutText } from './cut-text.ts';

test('returns a short text as it is, and splits no character of a long one', () => {
  expect([cutText('abc', 3), cutText('ab\u{1f600}c', 3), cutText('ab\u{1f600}c', 4)]).toEqual([
    'abc',
    'ab',
    'ab\u{1f600}',
  ]);
});
