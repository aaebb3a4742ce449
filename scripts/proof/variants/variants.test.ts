import { expect, test } from 'vitest';
import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import { combinedVariants, VARIANTS } from './variants.ts';

test('lists no clause of callers as unexercised', () => {
  const listed = Object.values(VARIANTS).flatMap(({ unreadable = [], untestable = [] }) => [
    ...unreadable,
    ...untestable,
  ]);
  expect(listed.filter((id) => CLAUSES[id].bound === 'caller')).toEqual([]);
});

test('combines every variant once', () => {
  const names = combinedVariants().flatMap((variants) => Object.keys(variants));
  expect(names.toSorted()).toEqual(Object.keys(VARIANTS).toSorted());
});
