import { expect, test } from 'vitest';
import type { ProofRun } from './prove-world.ts';
import { problemsOfCatalogue } from './problem-lines.ts';
import { type Proof, proofOf } from './proof.ts';
import { complaintForTest, proofRunForTest } from './proof-run-for-test.ts';
import { staleBlames } from './stale-blames.ts';

const REQ_6 = complaintForTest('REQ-6');
const SVC_5 = complaintForTest('SVC-5');

const run = (more: Partial<ProofRun>) => proofRunForTest({ world: 'tools-ignored', ...more });
const staleOfTools = (proof: Proof) => staleBlames(proof).filter(({ defect }) => defect === 'tools-ignored');
const STALE = [{ defect: 'tools-ignored', clause: 'REQ-6' }];

test('finds stale what may be blamed, and no run at any size or seed blames', () => {
  const runs = [run({ complaints: [SVC_5] }), run({ size: 'full', complaints: [SVC_5] })];
  expect(staleOfTools(proofOf(runs))).toEqual(STALE);
});

test('finds nothing stale that one run blames', () => {
  const runs = [
    run({ complaints: [SVC_5] }),
    run({ size: 'full', complaints: [SVC_5] }),
    run({ size: 'full', seed: 2, complaints: [SVC_5, REQ_6] }),
  ];
  expect(staleOfTools(proofOf(runs))).toEqual([]);
});

test('finds stale what is only blamed together with a clause that the defect breaks', () => {
  const both = complaintForTest('SVC-5', { clauses: ['SVC-5', 'REQ-6'] });
  const proof = proofOf([run({ complaints: [both] }), run({ size: 'full' })]);
  expect(staleOfTools(proof)).toEqual(STALE);
});

test('says nothing of a proof that lacks a size', () => {
  expect(staleBlames(proofOf([run({ complaints: [SVC_5] })]))).toEqual([]);
});

test('counts a stale entry as a problem of the catalogue, and says what to do', () => {
  expect(problemsOfCatalogue(proofOf([run({}), run({ size: 'full' })]))).toContain(
    'tools-ignored: no run needs that REQ-6 may be blamed: delete it from its `alsoBlamed`',
  );
});
