import { likelyCauses } from '../diagnosis/likely-causes.ts';
import { knownBugs } from '../diagnosis/signature.ts';
import { type Symptom, symptomsOf } from '../diagnosis/symptoms.ts';
import type { LikelyCause } from '../model/summary.ts';
import type { Findings } from './summarise.ts';

/** What a diagnosis of a run starts from; nothing where the preflight did not end. */
export function symptomsIn({ checks, invariants, record, info }: Findings): readonly Symptom[] {
  if (info === undefined) return [];
  const judged = [
    ...[...checks].map((each) => [...each, false] as const),
    ...[...invariants].map((each) => [...each, true] as const),
  ];
  return symptomsOf(
    judged.map(([{ id }, { failures, heldIn, held }, isInvariant]) => ({
      id,
      isInvariant,
      failures,
      heldIn,
      held,
    })),
    record,
    info,
  );
}

/** The known bugs that explain the failures of a run best. */
export function causesIn(findings: Findings): readonly LikelyCause[] {
  const invariants = new Set([...findings.invariants.keys()].map(({ id }) => id));
  try {
    return likelyCauses(symptomsIn(findings), knownBugs(), (check) => invariants.has(check));
  } catch {
    // A failure of ours, such as a missing file: the verdicts are worth more than their causes.
    return [];
  }
}
