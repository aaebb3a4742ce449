import { expect, test } from 'vitest';
import { complaintForTest, proofRunForTest } from './proof-run-for-test.ts';
import { proofVerdict } from './proof-verdict.ts';

const FINE = { missed: [], wrong: [], odd: [] };
const REQ_6 = complaintForTest('REQ-6');
const SVC_5 = complaintForTest('SVC-5');

test('finds nothing wrong where each clause that a defect breaks is blamed', () => {
  expect(proofVerdict(proofRunForTest({ complaints: [REQ_6, SVC_5] }))).toEqual(FINE);
});

test('misses a clause that a defect breaks and nobody blames', () => {
  expect(proofVerdict(proofRunForTest({ complaints: [REQ_6] })).missed).toEqual(['SVC-5']);
});

test.each(['not-exercised', 'inconclusive', 'observed'] as const)('takes no %s for blame', (verdict) => {
  const complaints = [REQ_6, complaintForTest('SVC-5', { verdict })];
  expect(proofVerdict(proofRunForTest({ complaints })).missed).toEqual(['SVC-5']);
});

test('takes a warning for blame', () => {
  const complaints = [REQ_6, complaintForTest('SVC-5', { verdict: 'warn' })];
  expect(proofVerdict(proofRunForTest({ complaints }))).toEqual(FINE);
});

test('finds wrong what is blamed on a clause that the defect keeps', () => {
  const wrong = complaintForTest('MSG-1');
  expect(proofVerdict(proofRunForTest({ complaints: [REQ_6, SVC_5, wrong] })).wrong).toEqual([wrong]);
});

test('lets be blamed what the defect says may be', () => {
  const run = proofRunForTest({ world: 'tools-ignored', complaints: [SVC_5, REQ_6] });
  expect(proofVerdict(run)).toEqual(FINE);
});

test('finds a failure of ours wrong wherever it is', () => {
  const ours = complaintForTest('REQ-6', { verdict: 'error' });
  expect(proofVerdict(proofRunForTest({ complaints: [REQ_6, SVC_5, ours] })).wrong).toEqual([ours]);
});

test('finds it odd that a run against a defect ends in its preflight', () => {
  const said = ['no answer'];
  expect(proofVerdict(proofRunForTest({ outcome: 'refused', said })).odd).toEqual(said);
});

test('finds every fault with a faithful service wrong', () => {
  const run = proofRunForTest({ world: 'mock', kind: 'variant', outcome: 'violations', complaints: [REQ_6] });
  expect(proofVerdict(run)).toEqual({ missed: [], wrong: [REQ_6], odd: ['violations: '] });
});

test('finds it odd that a run against a faithful service is incomplete, unless for a cap', () => {
  const incomplete = { world: 'mock', kind: 'variant', outcome: 'incomplete' } as const;
  const said = ['the cap of 300 requests was reached'];
  expect(proofVerdict(proofRunForTest({ ...incomplete, said }))).toEqual(FINE);
  expect(proofVerdict(proofRunForTest({ ...incomplete, said: ['x'] })).odd).toEqual(['incomplete: x']);
});

test('finds it odd that an adversary passes what it does not keep, or ends otherwise than it ought to', () => {
  const adversary = { world: 'refuses-everything', kind: 'adversary' } as const;
  expect(proofVerdict(proofRunForTest({ ...adversary, outcome: 'refused' }))).toEqual(FINE);
  const run = proofRunForTest({ ...adversary, kept: ['REQ-6'] });
  expect(proofVerdict(run).odd).toEqual(['the run ended as conformant', 'REQ-6 passed']);
});
