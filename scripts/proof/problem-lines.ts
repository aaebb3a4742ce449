import type { Proof } from './proof.ts';
import { untriedClauses } from './proof-goals.ts';
import { saidOf, unkilledChecks } from './proof.ts';
import type { CallerProofs } from './prove-callers.ts';
import { proofVerdict } from './proof-verdict.ts';
import type { ProofRun } from './prove-world.ts';
import { staleBlames } from './stale-blames.ts';

/** What is wrong with one run, and what to do about it, a line each. */
export function problemsWith(run: ProofRun): readonly string[] {
  const where = `${run.world} (${run.size}, seed ${run.seed})`;
  if (run.kind !== 'defect') return saidOf(run).map((said) => `${where}: ${said}: ${wayOut(run)}`);
  const { missed, wrong, odd } = proofVerdict(run);
  return [
    ...missed.map(
      (clause) => `${where}: nobody blames ${clause}: let the first inputs of its checks reach it`,
    ),
    ...wrong.map(
      ({ check, clauses, reason }) =>
        `${where}: ${check} blames ${clauses.join(', ')}, which it keeps: correct the check, or say in its \`alsoBlamed\` why the specification has it so (${reason})`,
    ),
    ...odd.map((said) => `${where}: the run did not begin: ${said}`),
  ];
}

function wayOut({ kind }: ProofRun): string {
  return kind === 'adversary'
    ? 'correct the check, or what is said of this adversary'
    : 'a faithful service may do so: correct the check';
}

/** What the judge of callers got wrong, a line for each caller. */
export function problemsOfCallers(callers: CallerProofs): readonly string[] {
  return Object.entries(callers).flatMap(([name, { odd }]) =>
    odd.length === 0
      ? []
      : [`${name}: ${odd.join(', ')}: correct the check of callers, or what is said of it`],
  );
}

/** What is wrong with the catalogue, as all runs together show it. */
export function problemsOfCatalogue(proof: Proof): readonly string[] {
  return [
    ...unkilledChecks(proof).map(
      (check) => `${check}: no defect makes it fail: add one that does to mock-server/defects/`,
    ),
    ...untriedClauses().map((clause) => `${clause}: no defect breaks it: add one to mock-server/defects/`),
    ...staleBlames(proof).map(
      ({ defect, clause }) =>
        `${defect}: no run needs that ${clause} may be blamed: delete it from its \`alsoBlamed\``,
    ),
  ];
}
