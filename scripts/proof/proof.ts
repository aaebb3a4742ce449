import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import { CHECKS } from '../../suites/catalogue.ts';
import { INVARIANTS } from '../../suites/invariants.ts';
import type { HeldOutFigures } from './held-out/held-out-figures.ts';
import { failuresOf, proofVerdict } from './proof-verdict.ts';
import type { CallerProofs } from './prove-callers.ts';
import type { Complaint, ProofRun } from './prove-world.ts';
import { isProvedDefect, PROVED_DEFECTS, type ProvedDefectName } from './proved-defects.ts';
import type { Seeds } from './seeds-meant.ts';
import { type Size, SIZES } from './size.ts';

/** How one defect fared at one size, over all seeds. */
export interface DefectProof {
  readonly runs: number;
  /** Runs in which every clause that it breaks was blamed. */
  readonly caught: number;
  /** Checks that blamed a clause which it keeps, in any run. */
  readonly wronglyBlamed: readonly string[];
  /** The clauses of failures, in any run, that blame none which it breaks. */
  readonly alsoBlamed: readonly ClauseId[];
  /** In how many runs each check failed for a clause that it breaks. */
  readonly killedBy: Readonly<Record<string, number>>;
  /** After how many exchanges the first of them failed, a number a run. */
  readonly after: readonly number[];
}

/** How all defects fared at one size. */
export interface SizeProof {
  readonly seeds: Seeds;
  readonly defects: Readonly<Partial<Record<ProvedDefectName, DefectProof>>>;
  /** Faithful worlds of which a run found fault, with what it said; adversaries of which one said too much. */
  readonly odd: Readonly<Record<string, readonly string[]>>;
  readonly faithful: number;
  readonly adversaries: number;
}

export type Proof = Readonly<Partial<Record<Size, SizeProof>>> & {
  readonly callers?: CallerProofs;
  readonly heldOut?: HeldOutFigures;
};

/** What a set of runs shows. */
export function proofOf(runs: readonly ProofRun[]): Proof {
  return Object.fromEntries(
    SIZES.flatMap((size) => {
      const own = runs.filter((run) => run.size === size);
      return own.length === 0 ? [] : [[size, sizeProof(own)]];
    }),
  );
}

function sizeProof(runs: readonly ProofRun[]): SizeProof {
  const byWorld = Map.groupBy(runs, ({ world }) => world);
  const defects = [...byWorld].flatMap(([name, own]) =>
    isProvedDefect(name) ? [[name, defectProof(name, own)] as const] : [],
  );
  const [broken = [], others = []] = [true, false].map((isBroken) =>
    runs.filter(({ world }) => isProvedDefect(world) === isBroken),
  );
  const odd = others.flatMap((run) => {
    const said = saidOf(run);
    return said.length === 0 ? [] : [[run.world, said] as const];
  });
  const countOf = (isCounted: (run: ProofRun) => boolean): number =>
    new Set(others.filter(isCounted).map(({ world }) => world)).size;
  return {
    seeds: { defects: seedsOf(broken), others: seedsOf(others) },
    defects: Object.fromEntries(defects),
    odd: Object.fromEntries(odd),
    faithful: countOf(({ kind }) => kind !== 'adversary'),
    adversaries: countOf(({ kind }) => kind === 'adversary'),
  };
}

function seedsOf(runs: readonly ProofRun[]): number {
  return new Set(runs.map(({ seed }) => seed)).size;
}

/** What was found wrong with the run of a world without a defect, in words. */
export function saidOf(run: ProofRun): readonly string[] {
  const { wrong, odd } = proofVerdict(run);
  return [...wrong.map(({ check, reason }) => `${check}: ${reason}`), ...odd];
}

function defectProof(name: ProvedDefectName, runs: readonly ProofRun[]): DefectProof {
  const verdicts = runs.map(proofVerdict);
  const { clauses: breaks } = PROVED_DEFECTS[name];
  const isKill = ({ clauses }: Complaint): boolean => clauses.some((clause) => breaks.includes(clause));
  const killers = runs.map((run) => failuresOf(run).filter(isKill));
  const others = runs.flatMap((run) => failuresOf(run).filter((failure) => !isKill(failure)));
  const byCheck = Map.groupBy(killers.flat(), ({ check }) => check);
  return {
    runs: runs.length,
    caught: verdicts.filter(({ missed, odd }) => missed.length + odd.length === 0).length,
    wronglyBlamed: [...new Set(verdicts.flatMap(({ wrong }) => wrong.map(({ check }) => check)))],
    alsoBlamed: [...new Set(others.flatMap(({ clauses }) => clauses))].toSorted(),
    killedBy: Object.fromEntries([...byCheck].map(([check, kills]) => [check, kills.length])),
    after: killers.flatMap((kills) => {
      const first = Math.min(...kills.map(({ after = Infinity }) => after));
      return Number.isFinite(first) ? [first] : [];
    }),
  };
}

/** The checks that no defect makes fail, at any size: nobody knows whether they can. */
export function unkilledChecks(proof: Proof): readonly string[] {
  const killed = new Set(
    SIZES.flatMap((size) =>
      Object.values(proof[size]?.defects ?? {}).flatMap(({ killedBy }) => Object.keys(killedBy)),
    ),
  );
  return [...CHECKS, ...INVARIANTS].map(({ id }) => id).filter((id) => !killed.has(id));
}
