import { expect, test } from 'vitest';
import { CLAUSES, clauseIds } from '../../../fixtures/clauses/clauses.ts';
import { VARIANTS } from './variants.ts';

test('has a name for each variant that no other one has', () => {
  const names = VARIANTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('has a variant for every clause that leaves something open to a service', () => {
  const open = clauseIds().filter((id) => CLAUSES[id].level === 'open' && CLAUSES[id].bound === 'service');
  const varied = new Set(VARIANTS.map(({ clause }) => clause));
  expect(open.filter((id) => !varied.has(id))).toEqual([]);
});

test('has more than one variant wherever services differ', () => {
  const points = Map.groupBy(VARIANTS, ({ point }) => point);
  expect([...points].filter(([, variants]) => variants.length < 2)).toEqual([]);
});

test('chooses nothing twice when variants of different points are combined', () => {
  const chosen = Map.groupBy(
    VARIANTS.flatMap(({ choices, point }) => Object.keys(choices).map((field) => ({ field, point }))),
    ({ field }) => field,
  );
  const twice = [...chosen].filter(([, choices]) => new Set(choices.map(({ point }) => point)).size > 1);
  expect(twice.map(([field]) => field)).toEqual([]);
});

test('lists no clause of callers as unexercised', () => {
  const listed = VARIANTS.flatMap(({ unreadable, untestable }) => [...unreadable, ...untestable]);
  expect(listed.filter((id) => CLAUSES[id].bound === 'caller')).toEqual([]);
});
