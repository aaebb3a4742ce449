import { expect, test } from 'vitest';
import { makeRuns } from './make-runs.ts';
import { proofVerdict } from './proof-verdict.ts';
import type { ProofRun } from './prove-world.ts';

async function runsOf(...worlds: readonly string[]): Promise<readonly ProofRun[]> {
  const runs: ProofRun[] = [];
  const jobs = worlds.map((world) => ({ world, size: 'live', seed: 1 }) as const);
  await makeRuns(jobs, (run) => runs.push(run));
  return runs;
}

test('proves a defect, an adversary, the mock and the second service in threads', async () => {
  const runs = await runsOf(
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
  expect(runs.map(proofVerdict)).toEqual(runs.map(() => ({ missed: [], wrong: [], odd: [] })));
});

test('rejects given a world that there is not', async () => {
  await expect(runsOf('no-such-world')).rejects.toThrow('no world is called no-such-world');
});
