import { expect, test } from 'vitest';
import { proofRunForTest } from './proof-run-for-test.ts';
import { wholeProof } from './whole-proof.ts';

const job = (world: string, seed: number) => ({ world, size: 'live', seed }) as const;
const JOBS = [job('tools-ignored', 1), job('mock', 1), job('tools-ignored', 2), job('mock', 2)];
const run = (world: string, seed: number) =>
  proofRunForTest({ world, seed, kind: world === 'mock' ? 'variant' : 'defect' });
const CALLERS = { a: { kind: 'faithful-caller', breaks: [], blamed: [], odd: [] } } as const;

const interrupted = { jobs: JOBS, callers: CALLERS, isInterrupted: true };

test('has nothing to publish of an interrupted run without one whole seed', () => {
  expect(wholeProof({ ...interrupted, runs: [] })).toEqual({});
  expect(wholeProof({ ...interrupted, runs: [run('mock', 1), run('mock', 2)] })).toEqual({});
});

test('has the whole seeds of an interrupted run to publish, and no callers', () => {
  const proof = wholeProof({
    ...interrupted,
    runs: [run('mock', 1), run('tools-ignored', 1), run('mock', 2)],
  });
  expect([Object.keys(proof), proof.live?.seeds.defects]).toEqual([['live'], 1]);
});

test('has the callers of a run that came to its end to publish, unless there was none', () => {
  const ended = { jobs: [], runs: [], isInterrupted: false };
  expect(wholeProof({ ...ended, callers: CALLERS })).toEqual({ callers: CALLERS });
  expect(wholeProof({ ...ended, callers: {} })).toEqual({});
});
