import { expect, test } from 'vitest';
import { observedPlace } from './observed-place.ts';

const PINNED = { pins: { 'response.usage': '/usage' } };

test('observes what was found, pinned or not', () => {
  const seen = [{ point: 'response.usage', value: '/spent' }];
  expect(observedPlace('response.usage', '/spent', {})).toEqual(seen);
  expect(observedPlace('response.usage', '/spent', PINNED)).toEqual(seen);
});

test('observes null where nothing was found at a point that is pinned, and nothing at any other', () => {
  expect(observedPlace('response.usage', undefined, PINNED)).toEqual([
    { point: 'response.usage', value: null },
  ]);
  expect(observedPlace('stream.usage', undefined, PINNED)).toEqual([]);
  expect(observedPlace('stream.usage', undefined, {})).toEqual([]);
});
