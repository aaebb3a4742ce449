import { expect, test } from 'vitest';
import { proofFigures } from './proof-figures.ts';
import { proofOf, unkilledChecks } from './proof.ts';
import { complaintForTest, proofRunForTest } from './proof-run-for-test.ts';

const killed = (seed: number, after: number) =>
  proofRunForTest({
    seed,
    complaints: [
      complaintForTest('REQ-6', { check: 'known-parameter-refused', after: after + 1 }),
      complaintForTest('SVC-5', { check: 'tool-calls-refused', after }),
    ],
  });
const missed = proofRunForTest({ seed: 3, complaints: [complaintForTest('MSG-1', { check: 'wrong' })] });
const PROOF = proofOf([killed(1, 10), killed(2, 30), missed]);
const LIVE = PROOF.live ?? {
  seeds: { defects: 0, others: 0 },
  defects: {},
  odd: {},
  faithful: 0,
  adversaries: 0,
};

test('counts the runs in which a defect was caught, who killed it, and how soon', () => {
  expect(LIVE.defects['unknown-fields-stripped']).toEqual({
    runs: 3,
    caught: 2,
    wronglyBlamed: ['wrong'],
    alsoBlamed: ['MSG-1'],
    killedBy: { 'known-parameter-refused': 2, 'tool-calls-refused': 2 },
    after: [10, 30],
  });
  expect([LIVE.seeds, PROOF.full]).toEqual([{ defects: 3, others: 0 }, undefined]);
});

test('keeps what was odd about worlds without a defect', () => {
  const run = proofRunForTest({ world: 'mock', kind: 'variant', outcome: 'violations' });
  expect(proofOf([run]).live?.odd).toEqual({ mock: ['violations: '] });
});

test('figures out how soon defects are found, those that never are among them', () => {
  const { median, p95, within } = proofFigures(LIVE);
  expect([median, p95]).toEqual([10, 30]);
  expect(within).toEqual({ 10: 1 / 3, 25: 1 / 3, 50: 2 / 3, 100: 2 / 3, 300: 2 / 3 });
});

test('says of every check that nothing kills that nothing does', () => {
  expect(unkilledChecks(PROOF)).not.toContain('tool-calls-refused');
  expect(unkilledChecks(PROOF)).toContain('stream-is-whole');
});
