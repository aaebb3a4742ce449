import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { Defect } from '../../../mock-server/defects/kit/defect.ts';
import type { Keys } from '../../../suites/kit/model/run.ts';
import type { RunOutcome } from '../../../suites/kit/model/summary.ts';
import type { Profile } from '../../../suites/kit/model/target.ts';

/** A service that is up, and how a run reaches it. */
export interface RunningService {
  readonly baseUrl: string;
  readonly keys: Keys;
  /** Absent: faults cannot be armed, and the workspace cannot be read. */
  readonly controlUrl?: string;
  readonly profile?: Profile;
  /** What is wrong with the credits that a mock has booked, in words. */
  readonly imbalances?: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** How a run ends. `refused`: in the preflight, with a message for the user. */
export type ProofOutcome = RunOutcome | 'refused';

/** The clauses that a faithful service leaves unexercised. */
export interface Unexercised {
  /** Until a profile says where to read what bears on them. */
  readonly unreadable: readonly ClauseId[];
  /** For no request to such a service can test them. */
  readonly untestable: readonly ClauseId[];
}

/** What a defect, or several at once, must and may be blamed for. */
export interface Broken extends Pick<Defect, 'alsoBlamed'> {
  readonly clauses: readonly ClauseId[];
}

/** A service whose verdicts are known. */
export type ProofWorld = {
  readonly name: string;
  readonly start: (seed: number) => Promise<RunningService>;
} & (
  | { readonly kind: 'defect'; readonly defect: Broken }
  /** Several defects at once, none of which hides another. */
  | { readonly kind: 'combined'; readonly defect: Broken }
  | {
      readonly kind: 'adversary';
      readonly ends: readonly ProofOutcome[];
      readonly keeps: readonly ClauseId[];
    }
  | {
      readonly kind: 'variant' | 'second-service';
      /** Those within the caps of a live target. Absent: not known. */
      readonly leaves?: Unexercised;
    }
);
