import { expect, test } from 'vitest';
import { problemsOfCatalogue, problemsOfRun } from './proof-problems.ts';
import type { ProofRun } from './proof-run.ts';
import { complaint, proofRun } from './test-support/proof-run.ts';

const REQ_6 = complaint('REQ-6', { check: 'unknown-field-refused' });
const SVC_5 = complaint('SVC-5', { check: 'tool-calls-refused' });
const NEEDLESS = "tools-ignored: no run blames REQ-6: delete it from the defect's `alsoBlamed`";

const run = (more: Partial<ProofRun>) => proofRun({ world: 'tools-ignored', ...more });
const untested = (check: string) => `${check}: no defect makes it fail: add a defect that does`;

test('finds a blame needless that no run of any size or seed needs', () => {
  const runs = [run({ complaints: [SVC_5] }), run({ size: 'full', complaints: [SVC_5] })];
  expect(problemsOfCatalogue(runs)).toContain(NEEDLESS);
});

test('finds no blame needless that one run needs', () => {
  const runs = [
    run({ complaints: [SVC_5] }),
    run({ size: 'full', complaints: [SVC_5] }),
    run({ size: 'full', seed: 2, complaints: [SVC_5, REQ_6] }),
  ];
  expect(problemsOfCatalogue(runs)).not.toContain(NEEDLESS);
});

test('finds a blame needless that comes only with a clause which the defect breaks', () => {
  const both = complaint('SVC-5', { clauses: ['SVC-5', 'REQ-6'] });
  expect(problemsOfCatalogue([run({ complaints: [both] }), run({ size: 'full' })])).toContain(NEEDLESS);
});

test('finds no blame needless without runs of every size', () => {
  expect(problemsOfCatalogue([run({ complaints: [SVC_5] })])).not.toContain(NEEDLESS);
});

test('reports every check that no defect makes fail', () => {
  const problems = problemsOfCatalogue([run({ complaints: [SVC_5] })]);
  expect(problems).not.toContain(untested('tool-calls-refused'));
  expect(problems).toContain(untested('stream-is-whole'));
});

test('says of what is wrong with a run how to mend it', () => {
  expect(problemsOfRun(run({ complaints: [complaint('MSG-1')] }))).toEqual([
    'tools-ignored (live, seed 1): no check blames SVC-5: make the inputs that every run sends reach the defect',
    "tools-ignored (live, seed 1): of-MSG-1 blames MSG-1 (it happened): correct the check, or say in the defect's `alsoBlamed` why the specification allows it",
  ]);
  expect(problemsOfRun(run({ world: 'mock', complaints: [REQ_6] }))).toEqual([
    'mock (live, seed 1): unknown-field-refused blames REQ-6 (it happened): a faithful service may do this: correct the check',
  ]);
});
