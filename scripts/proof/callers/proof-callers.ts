import { BROKEN_AFTER_LOSSES, DOUBTFUL_CALLERS } from './broken-after-losses.ts';
import { BROKEN_AFTER_REFUSALS } from './broken-after-refusals.ts';
import { BROKEN_REQUESTS } from './broken-requests.ts';
import { FAITHFUL_CALLERS } from './faithful-callers.ts';
import { OPENAI_CALLERS } from './openai-callers.ts';
import { PROCESS_CALLERS } from './process-callers.ts';
import type { ProofCaller } from './proof-caller.ts';

/** Callers whose faults are known, to prove the judge of callers with: first those that take longest. */
export const PROOF_CALLERS: readonly ProofCaller[] = [
  ...PROCESS_CALLERS,
  ...FAITHFUL_CALLERS,
  ...BROKEN_AFTER_REFUSALS,
  ...BROKEN_AFTER_LOSSES,
  ...DOUBTFUL_CALLERS,
  ...BROKEN_REQUESTS,
  ...OPENAI_CALLERS,
];
