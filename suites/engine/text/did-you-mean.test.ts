import { expect, test } from 'vitest';
import { didYouMean, nearestNames } from './did-you-mean.ts';

const KNOWN = ['models-listed', 'model-id-readable', 'REQ-6', 'REQ-7', 'streaming'];

test('returns the nearest name first given a misspelling', () => {
  expect(nearestNames('model-listed', KNOWN)[0]).toBe('models-listed');
});

test('returns a name given the same letters in another case', () => {
  expect(nearestNames('req-6', KNOWN)).toEqual(['REQ-6', 'REQ-7']);
});

test('returns nothing given a word that is near to none', () => {
  expect(nearestNames('xylophone-quartet', KNOWN)).toEqual([]);
});

test('returns the end of a question given near names', () => {
  expect(didYouMean('REQ-8', KNOWN)).toBe(': did you mean REQ-6 or REQ-7?');
  expect(didYouMean('straming', KNOWN)).toBe(': did you mean streaming?');
  expect(didYouMean('xylophone-quartet', KNOWN)).toBe('');
});

test('returns nothing given a word longer than any name', () => {
  expect(nearestNames('models-listed'.repeat(100_000), ['models-listed'.repeat(90_000)])).toEqual([]);
});
