import { BROKEN_AFTER_LOSSES } from './broken-after-losses.ts';
import { BROKEN_AFTER_REFUSALS } from './broken-after-refusals.ts';
import { BROKEN_POOLS } from './broken-pools.ts';
import { BROKEN_REQUESTS } from './broken-requests.ts';
import { FAITHFUL_CALLERS } from './faithful-callers.ts';
import { FAITHFUL_STYLES } from './faithful-styles.ts';
import { PROCESS_CALLERS } from './process-callers.ts';
import type { ProofCaller } from './proof-caller.ts';
import { SDK_CALLERS } from './sdk-callers.ts';

/** Callers whose faults are known, to prove the judge of callers with. */
export const PROOF_CALLERS: readonly ProofCaller[] = [
  ...BROKEN_REQUESTS,
  ...BROKEN_AFTER_REFUSALS,
  ...BROKEN_AFTER_LOSSES,
  ...PROCESS_CALLERS,
  ...FAITHFUL_CALLERS,
  ...FAITHFUL_STYLES,
  ...BROKEN_POOLS,
  ...SDK_CALLERS,
];
