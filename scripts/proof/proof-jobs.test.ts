import { expect, test } from 'vitest';
import { judgeRun } from './judge-run.ts';
import type { ProofWorld } from './model/proof-world.ts';
import { makeRuns, proofJobs } from './proof-jobs.ts';
import type { ProofRun } from './proof-run.ts';
import { worldNamed } from './worlds.ts';

const start = () => Promise.reject(new Error('not started in this test'));
const TWO: readonly ProofWorld[] = [
  { name: 'a', kind: 'second-service', start },
  { name: 'b', kind: 'variant', start },
];

test('lists every world at every size with every seed, seed by seed', () => {
  expect(proofJobs(TWO, ['live'], 2)).toEqual([
    { world: 'a', size: 'live', seed: 1 },
    { world: 'b', size: 'live', seed: 1 },
    { world: 'a', size: 'live', seed: 2 },
    { world: 'b', size: 'live', seed: 2 },
  ]);
});

async function runsAgainst(...worlds: readonly string[]): Promise<readonly ProofRun[]> {
  const runs: ProofRun[] = [];
  const jobs = worlds.map((world) => ({ world, size: 'live', seed: 1 }) as const);
  await makeRuns(jobs, (run) => runs.push(run));
  return runs;
}

test('proves a defect, an adversary, the mock and the second service in threads', async () => {
  const runs = await runsAgainst(
    'tools-ignored',
    'refuses-everything',
    'accepts-everything',
    'mock',
    'second-service',
  );
  expect(Object.fromEntries(runs.map(({ world, outcome }) => [world, outcome]))).toEqual({
    'accepts-everything': 'violations',
    mock: 'conformant',
    'refuses-everything': 'refused',
    'second-service': 'conformant',
    'tools-ignored': 'violations',
  });
  const problems = runs.map((run) => judgeRun(worldNamed(run.world), run));
  expect(problems).toEqual(runs.map(() => ({ missed: [], wrong: [], unexpected: [] })));
});

test('rejects given an unknown world', async () => {
  await expect(runsAgainst('no-such-world')).rejects.toThrow('no world is called no-such-world');
});
