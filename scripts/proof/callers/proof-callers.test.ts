import { expect, test } from 'vitest';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { SHORT_TIMEOUTS } from '../../caller/scenario-setup.ts';
import { tryCaller } from '../../caller/try-caller.ts';
import type { ProofCaller } from './proof-caller.ts';
import { PROOF_CALLERS } from './proof-callers.ts';

const SEED = 7;

function tried({ name, scenarios, start }: ProofCaller): Promise<Summary> {
  return tryCaller({ name, scenarios, start, seed: SEED, timeouts: SHORT_TIMEOUTS });
}

function failing({ clauses }: Summary): readonly string[] {
  return clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

const broken = PROOF_CALLERS.filter(({ kind }) => kind === 'broken-caller');
const faithful = PROOF_CALLERS.filter(({ kind }) => kind === 'faithful-caller');

// `npm run prove` tries all of them; here go the first that breaks each clause, and a few that break none.
const firstPerClause = [...new Set(broken.flatMap(({ clauses }) => clauses))].flatMap(
  (clause) => broken.find(({ clauses }) => clauses.includes(clause)) ?? [],
);

test.concurrent.each([...new Set(firstPerClause)].map((caller) => [caller.name, caller] as const))(
  'blames %s for exactly what it breaks',
  async (_name, caller) => {
    const summary = await tried(caller);
    expect(new Set(failing(summary))).toEqual(new Set(caller.clauses));
    expect(summary.outcome).toBe('violations');
    const evidence = summary.checks.flatMap((check) => check.evidence);
    expect(evidence.every(({ timeline }) => timeline?.some((line) => line.startsWith('»')))).toBe(true);
  },
);

test.concurrent.each(faithful.slice(0, 4).map((caller) => [caller.name, caller] as const))(
  'blames %s for nothing',
  async (_name, caller) => {
    const { checks, outcome, cutShort } = await tried(caller);
    const blamed = checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error');
    expect(
      blamed.map(({ id, reason, evidence }) => ({ id, reason, timeline: evidence[0]?.timeline })),
    ).toEqual([]);
    expect({ outcome, cutShort }).toEqual({ outcome: 'conformant', cutShort: [] });
  },
);

test('neither blames nor passes a caller that may have paid twice, and calls its run incomplete', async () => {
  const caller = PROOF_CALLERS.find(({ kind }) => kind === 'doubtful-caller');
  if (caller === undefined) throw new TypeError('there is none');
  const summary = await tried(caller);
  expect([summary.outcome, failing(summary)]).toEqual(['incomplete', []]);
  expect(summary.cutShort).toEqual([
    expect.stringMatching(/^charged-and-lost: 13 completions \(13 debited\), and work for 12 in plain-use: /),
  ]);
});

test('has enough callers, each with its own name', () => {
  expect(new Set(PROOF_CALLERS.map(({ name }) => name)).size).toBe(PROOF_CALLERS.length);
  expect(broken.length).toBeGreaterThanOrEqual(120);
  expect(faithful.length).toBeGreaterThanOrEqual(60);
});

test('has a caller that breaks each clause that a service can see a caller break', () => {
  const clauses = new Set(broken.flatMap((caller) => caller.clauses));
  expect([...clauses].toSorted()).toEqual(
    [
      'VIS-2',
      'IDEM-1',
      'IDEM-2',
      'AUTH-3',
      ...Array.from({ length: 8 }, (_, i) => `CALL-${i + 1}`),
    ].toSorted(),
  );
});
