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

test('finds it wrong that a mock has booked too much', () => {
  const imbalances = ['the workspace has -3 credits'];
  expect(judged({ world: 'mock', imbalances }).unexpected).toEqual(imbalances);
});

const ONE_FLAG = { world: 'vision-as-one-flag', unexercised: ['MSG-3', 'MSG-4'] } as const;
const SEE_THE_PROFILE = complaint('MSG-3', {
  clauses: ['MSG-3', 'MSG-4'],
  verdict: 'not-exercised',
  hint: 'name the models with vision in the profile',
});

test('expects a variant to leave unexercised what it lists, with a way out, and STR-2 if the machine is busy', () => {
  expect(judged({ ...ONE_FLAG, complaints: [SEE_THE_PROFILE] })).toEqual(FINE);
  const unexercised = [...ONE_FLAG.unexercised, 'STR-2'] as const;
  expect(judged({ ...ONE_FLAG, unexercised, complaints: [SEE_THE_PROFILE] })).toEqual(FINE);
});

test('finds a clause wrong that a variant leaves unexercised and does not list', () => {
  expect(judged({ world: 'keys-ignored', unexercised: ['RES-5'] }).unexpected).toEqual([
    'RES-5 is not exercised',
  ]);
});

test('finds a clause wrong that a variant lists as unexercised and a run exercises', () => {
  const unexercised = ['MSG-3'] as const;
  expect(judged({ ...ONE_FLAG, unexercised, complaints: [SEE_THE_PROFILE] }).unexpected).toEqual([
    'MSG-4 is exercised, but listed as unexercised',
  ]);
});

test('finds a clause wrong that a variant leaves unreadable without a way out', () => {
  const complaints = [
    complaint('MSG-3', { verdict: 'not-exercised' }),
    { ...SEE_THE_PROFILE, clauses: ['MSG-4'] },
  ] as const;
  expect(judged({ ...ONE_FLAG, complaints }).unexpected).toEqual([
    'MSG-3 is not exercised, and no check says how it could be',
  ]);
});

test('does not compare what a run at full size leaves unexercised', () => {
  expect(judged({ world: 'nothing-told-of-models', size: 'full' })).toEqual(FINE);
});

test('expects nothing of what a combination of variants leaves unexercised', () => {
  expect(judged({ world: 'variants-combined-1', unexercised: ['RES-5'] })).toEqual(FINE);
});

test('expects an adversary to end as it says, and to pass only what it keeps', () => {
  const adversary = { world: 'refuses-everything' };
  expect(judged({ ...adversary, outcome: 'refused' })).toEqual(FINE);
  const { unexpected } = judged({ ...adversary, passed: ['REQ-6'] });
  expect(unexpected).toEqual(['the run ended as conformant', 'REQ-6 passed']);
});

test('expects a run against several defects to say something of every clause, or which broken one to see', () => {
  const world = worldNamed('six-ordinary-bugs');
  const broken = world.kind === 'combined' ? world.defect.clauses : [];
  const blamed = broken.map((clause) => complaint(clause));
  const silent = (reason: string) =>
    judged({
      world: world.name,
      complaints: [...blamed, complaint('MSG-1', { verdict: 'inconclusive', reason })],
      unexercised: ['MSG-1'],
    });
  expect(silent('no place was left').unexpected).toEqual(['MSG-1 is not exercised']);
  expect(silent('the request is served, see REQ-6')).toEqual(FINE);
});
