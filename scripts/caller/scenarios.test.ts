import { expect, test } from 'vitest';
import { CLAUSES, clauseIds } from '../../fixtures/clauses/clauses.ts';
import { scenariosOf } from './scenarios.ts';

test('has a scenario that can exercise each clause that binds the caller', () => {
  const bound = clauseIds().filter((clause) => CLAUSES[clause].bound === 'caller');
  expect(bound.filter((clause) => scenariosOf(clause).length === 0)).toEqual([]);
});
