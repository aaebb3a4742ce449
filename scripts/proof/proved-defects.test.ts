import { expect, test } from 'vitest';
import { clauseIds } from '../../fixtures/clauses/clauses.ts';
import { proofPage } from './proof-page.ts';
import { defectNamesOf, PROVED_DEFECTS, provedDefectNames } from './proved-defects.ts';
import { WORLDS } from './worlds.ts';

test('has a world for each defect of either service, and no name twice', () => {
  const names = WORLDS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const defects = WORLDS.filter(({ kind }) => kind === 'defect').map(({ name }) => name);
  expect(defects).toEqual(provedDefectNames());
  expect([...defectNamesOf('mock'), ...defectNamesOf('second service')]).toEqual(defects);
});

test('labels the defects of the second service with clauses of many sections', () => {
  const broken = new Set(defectNamesOf('second service').flatMap((name) => PROVED_DEFECTS[name].clauses));
  expect([...broken].filter((clause) => !clauseIds().includes(clause))).toEqual([]);
  expect(new Set([...broken].map((clause) => clause.split('-')[0])).size).toBeGreaterThan(9);
});

test('shows the defects of the second service in a part of their own', () => {
  const shown = { runs: 1, caught: 1, wronglyBlamed: [], alsoBlamed: [], killedBy: { a: 1 }, after: [4] };
  const size = { seeds: { defects: 1, others: 1 }, odd: {}, faithful: 0, adversaries: 0 };
  const [before = '', after = ''] = proofPage({
    live: { ...size, defects: { 'tools-ignored': shown, 'models-on-pages': shown } },
  }).split('## Defects of the second service');
  expect([before, after].map((part) => part.includes('`models-on-pages`'))).toEqual([false, true]);
  expect([before, after].map((part) => part.includes('| `tools-ignored`'))).toEqual([true, false]);
});
