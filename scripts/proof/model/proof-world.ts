import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { Defect } from '../../../mock-server/defects/kit/defect.ts';
import type { Profile } from '../../../suites/kit/model/target.ts';
import type { Keys } from '../../../suites/kit/model/run.ts';
import type { RunOutcome } from '../../../suites/kit/model/summary.ts';

/** A service that is up, and how a run reaches it. */
export interface RunningService {
  readonly baseUrl: string;
  readonly keys: Keys;
  /** Absent: faults cannot be armed, and the workspace cannot be read. */
  readonly controlUrl?: string;
  readonly profile?: Profile;
  readonly close: () => Promise<void>;
}

/** How a run ends. `refused`: in the preflight, with a message for the user. */
export type ProofOutcome = RunOutcome | 'refused';

/** A service whose verdicts are known. */
export type ProofWorld = {
  readonly name: string;
  readonly start: (seed: number) => Promise<RunningService>;
} & (
  | { readonly kind: 'defect'; readonly defect: Pick<Defect, 'clauses' | 'alsoBlamed'> }
  | {
      readonly kind: 'adversary';
      readonly ends: readonly ProofOutcome[];
      readonly keeps: readonly ClauseId[];
    }
  | { readonly kind: 'variant' | 'second-service' }
);
