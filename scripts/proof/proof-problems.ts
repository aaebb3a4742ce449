import { type ClauseId, clauseIds, CLAUSES } from '../../fixtures/clauses/clauses.ts';
import { CHECKS } from '../../suites/catalogue.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import { failuresOf, judgeRun } from './judge-run.ts';
import type { ProofWorld } from './model/proof-world.ts';
import { type ProofRun, RUN_SIZES } from './proof-run.ts';
import type { CallerProof } from './prove-callers.ts';
import { worldNamed, WORLDS } from './worlds.ts';

/** What is wrong with one run and how to mend it, one line each. */
export function problemsOfRun(run: ProofRun): readonly string[] {
  const world = worldNamed(run.world);
  const where = `${run.world} (${run.size}, seed ${run.seed})`;
  const { missed, wrong, unexpected } = judgeRun(world, run);
  return [
    ...missed.map(
      (clause) =>
        `${where}: no check blames ${clause}${saidOf(clause, run)}: make the inputs that every run sends reach the defect`,
    ),
    ...wrong.map(
      ({ check, clauses, reason }) =>
        `${where}: ${check} blames ${clauses.join(', ')} (${reason}): ${REMEDIES[world.kind]}`,
    ),
    ...unexpected.map((text) => `${where}: ${text}: ${REMEDIES[world.kind]}`),
  ];
}

/** Why the checks of a clause gave no verdict, where they say so. */
function saidOf(clause: ClauseId, { complaints }: ProofRun): string {
  const reasons = complaints.filter(({ clauses }) => clauses.includes(clause));
  return reasons.map(({ check, verdict, reason }) => ` (${check} is ${verdict}: ${reason})`).join('');
}

const REMEDIES: Readonly<Record<ProofWorld['kind'], string>> = {
  defect: "correct the check, or say in the defect's `alsoBlamed` why the specification allows it",
  combined: 'correct the order in which a run sends, or the check',
  adversary: "correct the check, or the adversary's `ends` and `keeps`",
  variant: 'a faithful service may do this: correct the check',
  'second-service': 'a faithful service may do this: correct the check',
};

/** What the judge of callers got wrong, one line for each caller. */
export function problemsOfCallers(callers: readonly CallerProof[]): readonly string[] {
  return callers.flatMap(({ name, surprises }) =>
    surprises.length === 0
      ? []
      : [`${name}: ${surprises.join(', ')}: correct the check of callers, or the caller's \`clauses\``],
  );
}

/** What is wrong with the catalogue of checks and defects, as all runs together show it. */
export function problemsOfCatalogue(runs: readonly ProofRun[]): readonly string[] {
  return [
    ...untestedChecks(runs).map((check) => `${check}: no defect makes it fail: add a defect that does`),
    ...unbrokenClauses().map((clause) => `${clause}: no defect breaks it: add a defect that does`),
    ...needlessBlames(runs).map(
      ([defect, clause]) => `${defect}: no run blames ${clause}: delete it from the defect's \`alsoBlamed\``,
    ),
  ];
}

/** The failures of a run that blame a clause which the defect breaks, and the others. */
function partedFailures({ defect }: Extract<ProofWorld, { kind: 'defect' }>, run: ProofRun) {
  return Map.groupBy(failuresOf(run), ({ clauses }) =>
    clauses.some((clause) => defect.clauses.includes(clause)) ? 'deserved' : 'other',
  );
}

function untestedChecks(runs: readonly ProofRun[]): readonly string[] {
  const failed = new Set(
    runs.flatMap((run) => {
      const world = worldNamed(run.world);
      if (world.kind !== 'defect') return [];
      return (partedFailures(world, run).get('deserved') ?? []).map(({ check }) => check);
    }),
  );
  return [...CHECKS, ...INVARIANTS].map(({ id }) => id).filter((id) => !failed.has(id));
}

function unbrokenClauses(): readonly ClauseId[] {
  const broken = new Set(WORLDS.flatMap((world) => (world.kind === 'defect' ? world.defect.clauses : [])));
  return clauseIds().filter((id) => CLAUSES[id].bound === 'service' && !broken.has(id));
}

/**
 * Entries of `alsoBlamed` that no run needs: they would hide that a check blames a clause which the defect keeps. Only
 * runs of every size reach all that are needed, so without them nothing is needless.
 */
export function needlessBlames(runs: readonly ProofRun[]): readonly (readonly [defect: string, ClauseId])[] {
  const byWorld = Map.groupBy(runs, ({ world }) => world);
  return WORLDS.flatMap((world) => {
    const own = byWorld.get(world.name) ?? [];
    if (world.kind !== 'defect' || RUN_SIZES.some((size) => own.every((run) => run.size !== size))) return [];
    const { alsoBlamed = {} } = world.defect;
    const others = own.flatMap((run) => partedFailures(world, run).get('other') ?? []);
    const blamed = new Set(others.flatMap(({ clauses }) => clauses));
    return clauseIds()
      .filter((clause) => Object.hasOwn(alsoBlamed, clause) && !blamed.has(clause))
      .map((clause) => [world.name, clause] as const);
  });
}
