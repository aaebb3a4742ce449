import { expect, test } from 'vitest';
import { ofWholeSeeds, proofJobs } from './proof-jobs.ts';
import { proofRunForTest } from './proof-run-for-test.ts';
import type { ProvedWorld } from './proved-world.ts';

const start = () => Promise.reject(new Error('nobody starts it'));
const WORLDS: readonly ProvedWorld[] = [
  { name: 'a', kind: 'defect', start },
  { name: 'b', kind: 'variant', start },
];

test('tries every world at every size with every seed, seed by seed', () => {
  expect(proofJobs(WORLDS, ['live'], 2)).toEqual([
    { world: 'a', size: 'live', seed: 1 },
    { world: 'b', size: 'live', seed: 1 },
    { world: 'a', size: 'live', seed: 2 },
    { world: 'b', size: 'live', seed: 2 },
  ]);
});

test('tries at full size what has no defect with a few seeds', () => {
  const jobs = proofJobs(WORLDS, ['full'], 20);
  expect(['a', 'b'].map((name) => jobs.filter(({ world }) => world === name).length)).toEqual([20, 5]);
});

test('tries defects alone without leave and control', () => {
  expect(proofJobs(WORLDS, ['unaided'], 1)).toEqual([{ world: 'a', size: 'unaided', seed: 1 }]);
});

test('keeps the runs of those seeds for which every world was tried', () => {
  const runs = [
    proofRunForTest({ world: 'a', seed: 1 }),
    proofRunForTest({ world: 'a', seed: 2 }),
    proofRunForTest({ world: 'b', seed: 1 }),
  ];
  const whole = ofWholeSeeds(runs, proofJobs(WORLDS, ['live'], 2));
  expect(whole.map(({ world, seed }) => [world, seed])).toEqual([
    ['a', 1],
    ['b', 1],
  ]);
});
