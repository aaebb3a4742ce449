import { expect, test } from 'vitest';
import { wrapWords } from './wrap-words.ts';

test('returns lines no longer than the width given many words', () => {
  expect(wrapWords('  ', ['aaa', 'bbb', 'ccc', 'ddd'], 9)).toBe('  aaa bbb\n  ccc ddd');
});

test('returns a word on its own line given one that is longer than the width', () => {
  expect(wrapWords('', ['a', 'toolongforit', 'b'], 5)).toBe('a\ntoolongforit\nb');
});
