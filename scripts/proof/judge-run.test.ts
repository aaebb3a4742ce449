import { expect, test } from 'vitest';
import { judgeRun } from './judge-run.ts';
import type { ProofRun } from './proof-run.ts';
import { complaint, proofRun } from './test-support/proof-run.ts';
import { worldNamed } from './worlds.ts';

const FINE = { missed: [], wrong: [], unexpected: [] };
const REQ_6 = complaint('REQ-6');
const SVC_5 = complaint('SVC-5');

function judged(more: Partial<ProofRun> = {}) {
  const run = proofRun(more);
  return judgeRun(worldNamed(run.world), run);
}

test('finds nothing wrong if every clause that a defect breaks is blamed', () => {
  expect(judged({ complaints: [REQ_6, SVC_5] })).toEqual(FINE);
});

test('misses a clause that a defect breaks and no check blames', () => {
  expect(judged({ complaints: [REQ_6] }).missed).toEqual(['SVC-5']);
});

test.each(['not-exercised', 'inconclusive', 'observed'] as const)('does not count %s as blame', (verdict) => {
  const complaints = [REQ_6, complaint('SVC-5', { verdict })];
  expect(judged({ complaints }).missed).toEqual(['SVC-5']);
});

test('counts a warning as blame', () => {
  const complaints = [REQ_6, complaint('SVC-5', { verdict: 'warn' })];
  expect(judged({ complaints })).toEqual(FINE);
});

test('finds blame for a clause that the defect keeps wrong', () => {
  const wrong = complaint('MSG-1');
  expect(judged({ complaints: [REQ_6, SVC_5, wrong] }).wrong).toEqual([wrong]);
});

test('allows blame that the defect allows', () => {
  expect(judged({ world: 'tools-ignored', complaints: [SVC_5, REQ_6] })).toEqual(FINE);
});

test('finds a failure of ours wrong everywhere', () => {
  const ours = complaint('REQ-6', { verdict: 'error' });
  expect(judged({ complaints: [REQ_6, SVC_5, ours] }).wrong).toEqual([ours]);
});

test('does not expect a run against a defect to be refused', () => {
  const { unexpected } = judged({ outcome: 'refused', messages: ['no answer'] });
  expect(unexpected).toEqual(['the run was refused: no answer']);
});

test('finds every failure of a faithful service wrong', () => {
  expect(judged({ world: 'mock', outcome: 'violations', complaints: [REQ_6] })).toEqual({
    missed: [],
    wrong: [REQ_6],
    unexpected: ['the run ended as violations'],
  });
});

test('expects no incomplete run against a faithful service, except for a cap', () => {
  const incomplete = { world: 'mock', outcome: 'incomplete' } as const;
  expect(judged({ ...incomplete, messages: ['the cap of 300 requests was reached'] })).toEqual(FINE);
  expect(judged({ ...incomplete, messages: ['x'] }).unexpected).toEqual(['the run ended as incomplete (x)']);
});

test('expects an adversary to end as it says, and to pass only what it keeps', () => {
  const adversary = { world: 'refuses-everything' };
  expect(judged({ ...adversary, outcome: 'refused' })).toEqual(FINE);
  const { unexpected } = judged({ ...adversary, passed: ['REQ-6'] });
  expect(unexpected).toEqual(['the run ended as conformant', 'REQ-6 passed']);
});
