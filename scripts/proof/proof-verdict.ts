import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import { ADVERSARIES } from './adversaries/adversaries.ts';
import type { Complaint, ProofRun } from './prove-world.ts';
import { isProvedDefect, PROVED_DEFECTS } from './proved-defects.ts';

/** What is wrong with a run of which it is known how it ought to end. All empty: nothing. */
export interface ProofVerdict {
  /** The clauses that the world breaks, and that were not blamed. */
  readonly missed: readonly ClauseId[];
  /** The checks that blame a clause which the world keeps. */
  readonly wrong: readonly Complaint[];
  /** What else is not as it ought to be, in words. */
  readonly odd: readonly string[];
}

/** The checks of a run that found fault. */
export function failuresOf({ complaints }: ProofRun): readonly Complaint[] {
  return complaints.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn' || verdict === 'error');
}

export function proofVerdict(run: ProofRun): ProofVerdict {
  switch (run.kind) {
    case 'defect':
      return ofDefect(run);
    case 'adversary':
      return ofAdversary(run);
    case 'variant':
    case 'second-service':
      return ofFaithful(run);
  }
}

function ofDefect(run: ProofRun): ProofVerdict {
  if (!isProvedDefect(run.world)) throw new TypeError(`${run.world} is no defect`);
  const { clauses: breaks, alsoBlamed = {} } = PROVED_DEFECTS[run.world];
  const failures = failuresOf(run);
  const isBlamable = (clause: ClauseId): boolean =>
    breaks.includes(clause) || Object.hasOwn(alsoBlamed, clause);
  return {
    missed: breaks.filter((clause) => !failures.some(({ clauses }) => clauses.includes(clause))),
    wrong: failures.filter(({ verdict, clauses }) => verdict === 'error' || !clauses.some(isBlamable)),
    odd: run.outcome === 'refused' ? run.said : [],
  };
}

function ofAdversary(run: ProofRun): ProofVerdict {
  const { ends = [], keeps = [] } = ADVERSARIES[run.world] ?? {};
  const falsePasses = run.kept.filter((clause) => !keeps.includes(clause));
  return {
    missed: [],
    wrong: failuresOf(run).filter(({ verdict }) => verdict === 'error'),
    odd: [
      ...(ends.includes(run.outcome)
        ? []
        : [`the run ended as ${run.outcome}${run.said.map((said) => ` (${said})`).join('')}`]),
      ...falsePasses.map((clause) => `${clause} passed`),
    ],
  };
}

function ofFaithful(run: ProofRun): ProofVerdict {
  const isCapped = run.outcome === 'incomplete' && run.said.some((reason) => reason.startsWith('the cap of'));
  const isFine = run.outcome === 'conformant' || isCapped;
  return {
    missed: [],
    wrong: failuresOf(run),
    odd: isFine ? [] : [`${run.outcome}: ${run.said.join('; ')}`],
  };
}
