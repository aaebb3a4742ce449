import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import type { ProofOutcome, ProofWorld } from './model/proof-world.ts';
import type { Complaint, ProofRun } from './proof-run.ts';

/** What is wrong with a run against a world whose verdicts are known. All empty: nothing. */
export interface RunProblems {
  /** The clauses that the world breaks and that no check blamed. */
  readonly missed: readonly ClauseId[];
  /** The checks that blame a clause which the world keeps. */
  readonly wrong: readonly Complaint[];
  /** Any other surprise, in words. */
  readonly unexpected: readonly string[];
}

/** The checks of a run that found fault. */
export function failuresOf({ complaints }: ProofRun): readonly Complaint[] {
  return complaints.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'error');
}

export function judgeRun(world: ProofWorld, run: ProofRun): RunProblems {
  switch (world.kind) {
    case 'defect':
      return judgeDefect(world.defect, run);
    case 'adversary':
      return judgeAdversary(world, run);
    case 'variant':
    case 'second-service':
      return judgeFaithful(run);
  }
}

function judgeDefect(
  { clauses: breaks, alsoBlamed = {} }: Extract<ProofWorld, { kind: 'defect' }>['defect'],
  run: ProofRun,
): RunProblems {
  const failures = failuresOf(run);
  const mayBeBlamed = (clause: ClauseId): boolean =>
    breaks.includes(clause) || Object.hasOwn(alsoBlamed, clause);
  return {
    missed: breaks.filter((clause) => !failures.some(({ clauses }) => clauses.includes(clause))),
    wrong: failures.filter(({ verdict, clauses }) => verdict === 'error' || !clauses.some(mayBeBlamed)),
    unexpected:
      run.outcome === 'refused' ? run.messages.map((message) => `the run was refused: ${message}`) : [],
  };
}

function judgeAdversary(
  { ends, keeps }: { readonly ends: readonly ProofOutcome[]; readonly keeps: readonly ClauseId[] },
  run: ProofRun,
): RunProblems {
  const falsePasses = run.passed.filter((clause) => !keeps.includes(clause));
  return {
    missed: [],
    wrong: failuresOf(run).filter(({ verdict }) => verdict === 'error'),
    unexpected: [
      ...(ends.includes(run.outcome) ? [] : [endOf(run)]),
      ...falsePasses.map((clause) => `${clause} passed`),
    ],
  };
}

function judgeFaithful(run: ProofRun): RunProblems {
  const isCapped = run.outcome === 'incomplete' && run.messages.some((text) => text.startsWith('the cap of'));
  const isExpected = run.outcome === 'conformant' || isCapped;
  return { missed: [], wrong: failuresOf(run), unexpected: isExpected ? [] : [endOf(run)] };
}

function endOf({ outcome, messages }: ProofRun): string {
  return `the run ended as ${outcome}${messages.map((message) => ` (${message})`).join('')}`;
}
