import { expect, test } from 'vitest';
import { clauseIds } from '../../fixtures/clauses/clauses.ts';
import { defectNames } from '../../mock-server/defects/defects.ts';
import { SECOND_DEFECT_WORLDS } from './second-defects/second-defects.ts';
import { WORLDS } from './worlds.ts';

test('has a world for each defect of either service, and every name once', () => {
  const names = WORLDS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const defects = WORLDS.filter(({ kind }) => kind === 'defect').map(({ name }) => name);
  const near = defects.filter((name) => !name.includes('-over-'));
  expect(near).toEqual([...defectNames(), ...SECOND_DEFECT_WORLDS.map(({ name }) => name)]);
  expect(defects.length - near.length).toBe(2);
});

test('breaks clauses of many sections with the defects of the second service', () => {
  const broken = new Set(
    SECOND_DEFECT_WORLDS.flatMap((world) => (world.kind === 'defect' ? world.defect.clauses : [])),
  );
  expect([...broken].filter((clause) => !clauseIds().includes(clause))).toEqual([]);
  expect(new Set([...broken].map((clause) => clause.split('-')[0])).size).toBeGreaterThan(9);
});
