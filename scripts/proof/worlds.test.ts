import { expect, onTestFinished, test } from 'vitest';
import { DEFECTS } from '../../mock-server/defects/defects.ts';
import { MOCK_VARIANTS } from '../cli/mock/mock-words.ts';
import { problemsOf } from './problems.ts';
import type { Job } from './proof-run.ts';
import { ProofThreads } from './threads.ts';
import { WORLDS, worldsNamed } from './worlds.ts';

const job = (world: string): Job => ({ world, size: 'live', seed: 1 });

test('has a world for each defect and variant of the mock, and every name once', () => {
  const names = WORLDS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const ofMocks = Object.keys(MOCK_VARIANTS).map((name) => `mock-${name}`);
  expect(names).toEqual(expect.arrayContaining([...DEFECTS.keys(), ...ofMocks]));
});

function threads(): ProofThreads {
  const started = new ProofThreads();
  onTestFinished(() => started.close());
  return started;
}

test('makes runs against services and with callers in threads', async () => {
  const names = ['tools-ignored', 'refuses-everything', 'no-idempotency-key'];
  const runs = await threads().make(names.map(job), 2);
  expect(runs.map(({ world }) => world).toSorted()).toEqual(names.toSorted());
  expect(runs.flatMap(problemsOf)).toEqual([]);
});

test('rejects given an unknown world', async () => {
  await expect(threads().make([job('no-such-world')], 1)).rejects.toThrow('no world is called no-such-world');
});

test('names worlds by their names, by how they begin and by their kinds', () => {
  const namesOf = (...words: readonly string[]) => worldsNamed(words).map(({ name }) => name);
  expect(namesOf('tools-ign', 'slow-refusals')).toEqual(['tools-ignored', 'slow-refusals']);
  expect(worldsNamed(['adversary']).every(({ kind }) => kind === 'adversary')).toBe(true);
  expect(() => worldsNamed(['tools-ignord'])).toThrow(
    'nothing is called "tools-ignord": did you mean tools-ig',
  );
});
