import type { Complaint, ProofRun } from '../proof-run.ts';

/** A run against a defect that found nothing, but for what is given. */
export function proofRun(more: Partial<ProofRun> = {}): ProofRun {
  return {
    world: 'unknown-fields-stripped',
    size: 'live',
    seed: 1,
    outcome: 'conformant',
    messages: [],
    passed: [],
    unexercised: [],
    complaints: [],
    imbalances: [],
    ...more,
  };
}

/** A check of one clause that failed. */
export function complaint(clause: Complaint['clauses'][number], more: Partial<Complaint> = {}): Complaint {
  return {
    check: `of-${clause}`,
    clauses: [clause],
    verdict: 'fail',
    reason: 'it happened',
    hint: undefined,
    ...more,
  };
}
