import type { Complaint, ProofRun } from './prove-world.ts';

/** A run that found nothing, unless something else is said. */
export function proofRunForTest(more: Partial<ProofRun> = {}): ProofRun {
  return {
    world: 'unknown-fields-stripped',
    kind: 'defect',
    size: 'live',
    seed: 1,
    outcome: 'conformant',
    said: [],
    kept: [],
    complaints: [],
    spent: { requests: 0, completions: 0, outputTokens: 0, uncertain: 0 },
    durationMs: 0,
    ...more,
  };
}

/** A check of one clause that failed. */
export function complaintForTest(
  clause: Complaint['clauses'][number],
  more: Partial<Complaint> = {},
): Complaint {
  return {
    check: `of-${clause}`,
    clauses: [clause],
    verdict: 'fail',
    reason: 'as it happened',
    after: 5,
    ...more,
  };
}
