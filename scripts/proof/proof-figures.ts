import type { SizeProof } from './proof.ts';

/** How soon a run finds a defect, in exchanges. */
export interface ProofFigures {
  readonly median: number;
  readonly p95: number;
  /** The part of all runs that found their defect within so many exchanges. */
  readonly within: Readonly<Record<number, number>>;
}

export const MILESTONES = [10, 25, 50, 100, 300] as const;

export function proofFigures({ defects }: SizeProof): ProofFigures {
  const all = Object.values(defects);
  const runs = all.reduce((sum, defect) => sum + defect.runs, 0);
  const after = all.flatMap((defect) => defect.after).toSorted((one, other) => one - other);
  const rate = (most: number): number => after.filter((each) => each <= most).length / Math.max(1, runs);
  return {
    median: quantile(after, 0.5),
    p95: quantile(after, 0.95),
    within: Object.fromEntries(MILESTONES.map((most) => [most, rate(most)])),
  };
}

/** Of sorted numbers, the nearest one that so great a part of them does not exceed. */
function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
