import { expect, test } from 'vitest';
import { CLAUSES, clauseIds } from '../../fixtures/clauses/clauses.ts';
import { CALLER_SCENARIOS, scenariosOf } from './scenarios.ts';

test('has a scenario that can exercise each clause that binds the caller', () => {
  const bound = clauseIds().filter((clause) => CLAUSES[clause].bound === 'caller');
  expect(bound.filter((clause) => scenariosOf(clause).length === 0)).toEqual([]);
});

test('tells different timeouts where answers are held, so that no timeout of its own fits both', () => {
  const held = Object.values(CALLER_SCENARIOS).flatMap((scenario) => scenario.held?.timeoutMs ?? []);
  expect(new Set(held).size).toBeGreaterThan(1);
});
