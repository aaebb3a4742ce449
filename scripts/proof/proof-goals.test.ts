import { expect, test } from 'vitest';
import { CHECKS } from '../../suites/catalogue.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import { PROOF_CALLERS } from './callers/proof-callers.ts';
import type { Proof, SizeProof } from './proof.ts';
import { goalsOf } from './proof-goals.ts';
import { defectNamesOf, provedDefectNames } from './proved-defects.ts';
import { proofPage } from './proof-page.ts';
import { WORLDS } from './worlds.ts';

const NOTHING_ODD = { runs: 20, caught: 20, wronglyBlamed: [], alsoBlamed: [], killedBy: {}, after: [] };

/** Of every world there is, with so many seeds; nothing wrong unless something else is said. */
function sizeProof(more: Partial<SizeProof> = {}): SizeProof {
  const faithful = WORLDS.filter(({ kind }) => kind === 'variant' || kind === 'second-service').length;
  const adversaries = WORLDS.filter(({ kind }) => kind === 'adversary').length;
  const defects = Object.fromEntries(provedDefectNames().map((name) => [name, NOTHING_ODD]));
  return { seeds: { defects: 20, others: 20 }, defects, odd: {}, faithful, adversaries, ...more };
}

const CALLERS = Object.fromEntries(
  PROOF_CALLERS.map(({ name, kind, clauses }) => [name, { kind, breaks: clauses, blamed: clauses, odd: [] }]),
);
const WHOLE: Proof = { full: sizeProof(), live: sizeProof(), callers: CALLERS };

/** The goals that this leaves unmet, beside that nothing here kills any check. */
function unmet(proof: Proof): readonly string[] {
  return goalsOf(proof)
    .filter(({ isMet, goal }) => !isMet && goal !== 'every check is made to fail by a defect')
    .map(({ about, size, goal }) => `${about} ${size}: ${goal.split(',')[0]}`);
}

test('leaves no goal open where all was tried, and nothing went wrong', () => {
  expect(unmet(WHOLE)).toEqual([]);
});

test('leaves open what was not tried at all', () => {
  expect(unmet({})).toEqual([
    'extent full: every defect',
    'extent full: each defect is tried with 20 seeds or more',
    'extent full: each of the others is tried with 5 seeds or more',
    'extent live: every defect',
    'extent live: each defect is tried with 20 seeds or more',
    'extent live: each of the others is tried with 20 seeds or more',
    'extent callers: every caller',
  ]);
});

test.each([
  ['no adversary', { adversaries: 0 }],
  ['no faithful service', { faithful: 0 }],
  ['one defect alone', { defects: { 'tools-ignored': NOTHING_ODD } }],
])('leaves open that every world is tried given %s', (_, more) => {
  expect(unmet({ ...WHOLE, live: sizeProof(more) })).toEqual(['extent live: every defect']);
});

test('leaves open that there are 20 seeds given 19', () => {
  const found = unmet({ ...WHOLE, live: sizeProof({ seeds: { defects: 20, others: 19 } }) });
  expect(found).toEqual(['extent live: each of the others is tried with 20 seeds or more']);
});

test('leaves open that every caller is tried given one', () => {
  const [name = '', caller] = Object.entries(CALLERS)[0] ?? [];
  expect(unmet({ ...WHOLE, ...(caller && { callers: { [name]: caller } }) })).toEqual([
    'extent callers: every caller',
  ]);
});

test('says of what, and how much, was tried', () => {
  const { faithful, adversaries } = sizeProof();
  const [mocks, seconds] = [defectNamesOf('mock').length, defectNamesOf('second service').length];
  const shown = goalsOf({ live: sizeProof({ faithful: 3 }) })
    .filter(({ size }) => size === 'live')
    .map((goal) => goal.shown);
  expect(shown[0]).toBe(
    `${mocks} of ${mocks} defects, ${seconds} of ${seconds} defects of the second service, 3 of ${faithful} faithful services, ${adversaries} of ${adversaries} adversaries`,
  );
  expect(shown).toContain(`none of 3 faithful services, nor of ${adversaries} adversaries`);
});

test('meets no goal of soundness where a defect was missed, a clause wrongly blamed, or a service odd', () => {
  const wrong = { ...NOTHING_ODD, caught: 19, wronglyBlamed: ['a-check'] };
  const live = sizeProof({ odd: { mock: ['x'] } });
  expect(
    unmet({ ...WHOLE, live: { ...live, defects: { ...live.defects, 'tools-ignored': wrong } } }),
  ).toEqual([
    'soundness live: every defect is caught',
    'soundness live: no defect is blamed on a clause that it keeps',
    'soundness live: no fault is found with a faithful service',
  ]);
});

test('meets no goal of soundness where a caller was judged wrongly', () => {
  const [name = '', caller] = Object.entries(CALLERS)[0] ?? [];
  const callers = { ...CALLERS, ...(caller && { [name]: { ...caller, odd: ['nobody blames it'] } }) };
  expect(unmet({ ...WHOLE, callers }).map((goal) => goal.split(':')[0])).toEqual(['soundness callers']);
});

test('says on top of the page whether something went wrong, or too little was tried', () => {
  const killers = [...CHECKS, ...INVARIANTS].map(({ id }) => [id, 20] as const);
  const killed = { ...NOTHING_ODD, killedBy: Object.fromEntries(killers) };
  const live = sizeProof();
  const sound = { ...live, defects: { ...live.defects, 'tools-ignored': killed } };
  expect(proofPage({ ...WHOLE, live: sound })).toContain('. Every goal is met.');
  expect(proofPage({ ...WHOLE, live: { ...sound, seeds: { defects: 1, others: 20 } } })).toContain(
    '**Less was tried than is to be: one goal is open.**',
  );
  expect(proofPage(WHOLE)).toContain('**Not every goal is met.**');
});
