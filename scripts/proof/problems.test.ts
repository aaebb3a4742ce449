import { expect, test } from 'vitest';
import { problemsOf, problemsOfCatalogue } from './problems.ts';
import type { Complaint, ProofRun } from './proof-run.ts';
import { WORLDS } from './worlds.ts';

/** A run that found nothing, but for what is given. */
function run(world: string, more: Partial<ProofRun> = {}): ProofRun {
  const nothing = { messages: [], passed: [], unexercised: [], complaints: [], observed: {}, imbalances: [] };
  return { world, size: 'live', seed: 1, outcome: 'conformant', ...nothing, ...more };
}

function complaint(clause: Complaint['clauses'][number], more: Partial<Complaint> = {}): Complaint {
  return { id: `of-${clause}`, clauses: [clause], verdict: 'fail', reason: 'it happened', ...more };
}

/** What is wrong with a run, without where it was. */
const wrongIn = (...of: Parameters<typeof run>): readonly string[] =>
  problemsOf(run(...of)).map((line) => line.split(': ').slice(1).join(': '));

const REQ_6 = complaint('REQ-6');
const SVC_5 = complaint('SVC-5');
const STRIPPED = 'unknown-fields-stripped';

test.each<[string, readonly Complaint[], readonly string[]]>([
  ['blame for every clause that it breaks', [REQ_6, SVC_5], []],
  ['a warning in place of a failure', [REQ_6, complaint('SVC-5', { verdict: 'warn' })], []],
  ['no blame for one of them', [REQ_6], ['no check blames SVC-5']],
  [
    'no verdict on one of them',
    [REQ_6, complaint('SVC-5', { verdict: 'inconclusive', reason: 'unclear' })],
    ['no check blames SVC-5 (of-SVC-5 is inconclusive: unclear)'],
  ],
  ['blame for another clause', [REQ_6, SVC_5, complaint('MSG-1')], ['of-MSG-1 blames MSG-1 (it happened)']],
  [
    'a failure of ours',
    [REQ_6, SVC_5, complaint('REQ-6', { verdict: 'error' })],
    ['of-REQ-6 blames REQ-6 (it happened)'],
  ],
])('judges a defect given %s', (_, complaints, problems) => {
  expect(wrongIn(STRIPPED, { outcome: 'violations', complaints })).toEqual(problems);
});

test.each<[string, string, readonly string[]]>([
  ['a sentence with its way out', 'no text (see: "a: b: c"): see RES-2', []],
  [
    'several sentences',
    'no text: none came: see RES-2',
    ['of-RES-3 says several sentences: no text: none came: see RES-2'],
  ],
])('wants one sentence for a reason, given %s', (_, reason, problems) => {
  const complaints = [complaint('RES-3', { verdict: 'not-exercised', reason })];
  expect(wrongIn('mock', { complaints })).toEqual(problems);
});

test('allows blame that the defect allows, and no refusal of the whole run', () => {
  const complaints = [SVC_5, REQ_6];
  expect(wrongIn('tools-ignored', { complaints })).toEqual([]);
  expect(wrongIn('tools-ignored', { complaints, outcome: 'refused', messages: ['no answer'] })).toEqual([
    'the run ended as refused (no answer)',
  ]);
});

test('expects a faithful service to end conformant, but for a cap, with its credits in order', () => {
  expect(wrongIn('mock', { outcome: 'capped' })).toEqual([]);
  expect(wrongIn('mock', { outcome: 'incomplete', messages: ['x'] })).toEqual([
    'the run ended as incomplete (x)',
  ]);
  expect(wrongIn('mock', { imbalances: ['the workspace has -3 credits'] })).toEqual([
    'the workspace has -3 credits',
  ]);
});

const SEE_THE_PROFILE = complaint('SVC-3', {
  clauses: ['SVC-3', 'VIS-3'],
  verdict: 'not-exercised',
  hint: 'pin the shape of the vision answer in a profile',
});
const NO_WAY_OUT = [
  complaint('SVC-3', { verdict: 'not-exercised' }),
  { ...SEE_THE_PROFILE, clauses: ['VIS-3'] },
] as const;

test.each<[string, Partial<ProofRun>, readonly string[]]>([
  ['what it lists, with a way out', {}, []],
  ['STR-2 as well: the machine is busy', { unexercised: ['SVC-3', 'VIS-3', 'STR-2'] }, []],
  [
    'something else',
    { unexercised: ['SVC-3', 'RES-5'] },
    ['RES-5 is not exercised', 'VIS-3 is exercised, but listed as unexercised'],
  ],
  [
    'what it lists, without a way out',
    { complaints: NO_WAY_OUT },
    ['SVC-3 is not exercised, and no check says how it could be'],
  ],
  ['nothing, at full size', { size: 'full', unexercised: [] }, []],
])('judges a variant that leaves unexercised %s', (_, more, problems) => {
  const unexercised = ['SVC-3', 'VIS-3'] as const;
  expect(wrongIn('vision-in-words', { unexercised, complaints: [SEE_THE_PROFILE], ...more })).toEqual(
    problems,
  );
});

test('expects an adversary to end as it says, and to pass only what it keeps', () => {
  expect(wrongIn('refuses-everything', { outcome: 'refused', complaints: [REQ_6] })).toEqual([]);
  expect(wrongIn('refuses-everything', { passed: ['REQ-6'] })).toEqual([
    'the run ended as conformant',
    'REQ-6 passed',
  ]);
});

test('expects several defects to hide no clause, unless the run says which broken one to see', () => {
  const blamed = (['REQ-6', 'SVC-5', 'REQ-3', 'SVC-7', 'ERR-3', 'STR-2', 'AUTH-2', 'ERR-1'] as const).map(
    (id) => complaint(id),
  );
  const silent = (reason: string) =>
    wrongIn('six-ordinary-bugs', {
      complaints: [...blamed, complaint('MSG-1', { verdict: 'inconclusive', reason })],
      unexercised: ['MSG-1'],
    });
  expect(silent('no place was left')).toEqual(['MSG-1 is not exercised']);
  expect(silent('the request is served, see REQ-6')).toEqual([]);
});

test('expects a broken caller to be blamed, and a doubtful one to be doubted', () => {
  const doubtful = WORLDS.find(({ kind }) => kind === 'doubtful-caller')?.name ?? '';
  const complaints = [complaint('CALL-6', { verdict: 'inconclusive' })];
  expect(wrongIn(doubtful, { outcome: 'incomplete', complaints })).toEqual(['no check doubts CALL-2']);
  expect(wrongIn('no-idempotency-key')).toEqual(['no check blames IDEM-1', 'the run ended as conformant']);
});

const NEEDLESS = "tools-ignored: no run blames REQ-6: delete it from the defect's `alsoBlamed`";

test('finds blame needless that no run needs, or that comes only with a clause which the defect breaks', () => {
  const both = complaint('SVC-5', { clauses: ['SVC-5', 'REQ-6'] });
  const found = (complaints: readonly Complaint[]) =>
    problemsOfCatalogue([run('tools-ignored', { complaints: [both] }), run('tools-ignored', { complaints })]);
  expect(found([SVC_5])).toContain(NEEDLESS);
  expect(found([SVC_5, REQ_6])).not.toContain(NEEDLESS);
});

test('reports every check that no world makes fail, and every open point that all fill alike', () => {
  const id = 'tool-calls-refused';
  const problems = problemsOfCatalogue([
    run('tools-ignored', { complaints: [complaint('SVC-5', { id })] }),
    ...(['200', '402'] as const).map((status) => run('mock', { observed: { alike: '1', open: status } })),
  ]);
  const of = (name: string) => problems.filter((problem) => problem.startsWith(`${name}: `));
  expect([of(id), of('open')]).toEqual([[], []]);
  expect(of('stream-is-whole')).toEqual([
    'stream-is-whole: no world that breaks its clause makes it fail: add one that does',
  ]);
  expect(of('alike')).toEqual(['alike: every faithful service fills it alike: add a variant that does not']);
});
