import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import type { Broken, ProofOutcome, ProofWorld, Unexercised } from './model/proof-world.ts';
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
    case 'combined':
      return judgeCombined(world.defect, run);
    case 'adversary':
      return judgeAdversary(world, run);
    case 'variant':
    case 'second-service':
      return judgeFaithful(world, run);
  }
}

function judgeDefect({ clauses: breaks, alsoBlamed = {} }: Broken, run: ProofRun): RunProblems {
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

/** However much the service gets wrong, the run says something of every clause, or which broken one to see. */
function judgeCombined(defect: Broken, run: ProofRun): RunProblems {
  const { missed, wrong, unexpected } = judgeDefect(defect, run);
  const silent = run.unexercised.filter((clause) => isSteady(clause) && !isExplained(clause, defect, run));
  return {
    missed,
    wrong,
    unexpected: [...unexpected, ...silent.map((clause) => `${clause} is not exercised`)],
  };
}

function isExplained(clause: ClauseId, { clauses: broken }: Broken, { complaints }: ProofRun): boolean {
  const own = complaints.filter(({ clauses }) => clauses.includes(clause));
  return own.some(({ reason }) => broken.some((each) => reason.includes(`see ${each}`)));
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

function judgeFaithful({ leaves }: { readonly leaves?: Unexercised }, run: ProofRun): RunProblems {
  const isCapped = run.outcome === 'incomplete' && run.messages.some((text) => text.startsWith('the cap of'));
  const isExpected = run.outcome === 'conformant' || isCapped;
  const unexpected = [
    ...(isExpected ? [] : [endOf(run)]),
    ...run.imbalances,
    ...(leaves === undefined || run.size === 'full' ? [] : surprisesIn(leaves, run)),
  ];
  return { missed: [], wrong: failuresOf(run), unexpected };
}

/** Whether a text for people says how more could be exercised. */
const SAYS_THE_WAY_OUT = /profile|see [A-Z]+-\d/;

/** How what a run left unexercised differs from what its world says. */
function surprisesIn({ unreadable, untestable }: Unexercised, run: ProofRun): readonly string[] {
  const listed = [...unreadable, ...untestable];
  const hasWayOut = (clause: ClauseId): boolean =>
    run.complaints.some(
      ({ clauses, verdict, hint, reason }) =>
        verdict === 'not-exercised' && clauses.includes(clause) && SAYS_THE_WAY_OUT.test(hint ?? reason),
    );
  const surprises = {
    'is not exercised': run.unexercised.filter((clause) => !listed.includes(clause)),
    'is exercised, but listed as unexercised': listed.filter((clause) => !run.unexercised.includes(clause)),
    'is not exercised, and no check says how it could be': unreadable.filter((clause) => !hasWayOut(clause)),
  };
  return Object.entries(surprises).flatMap(([what, clauses]) =>
    [...clauses].filter(isSteady).map((clause) => `${clause} ${what}`),
  );
}

/** Whether a stream is on time, and so whether STR-2 is exercised, depends on how busy the machine is. */
const isSteady = (clause: ClauseId): boolean => clause !== 'STR-2';

function endOf({ outcome, messages }: ProofRun): string {
  return `the run ended as ${outcome}${messages.map((message) => ` (${message})`).join('')}`;
}
