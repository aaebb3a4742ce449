import type { ClauseId } from '../../fixtures/clauses/clauses.ts';
import type { RunOutcome, Verdict } from '../../suites/engine/model/summary.ts';
import type { Leaves } from './variants/variant.ts';

/** How much a run sends: what the caps of a live target allow (`live`), or every example and 20 drawn inputs (`full`). */
export const RUN_SIZES = ['live', 'full'] as const;
export type RunSize = (typeof RUN_SIZES)[number];

/** How a run ends. `capped`: a cap was reached, and nothing else. `refused`: in the preflight, with a message for the user. */
export type ProofOutcome = RunOutcome | 'capped' | 'refused';

/** A check that did not pass. */
export interface Complaint {
  readonly check: string;
  readonly clauses: readonly ClauseId[];
  readonly verdict: Exclude<Verdict, 'pass'>;
  readonly reason: string;
  /** How more could be exercised. */
  readonly hint?: string | undefined;
}

/** What one run said. */
export interface Said {
  readonly outcome: ProofOutcome;
  /** The message of a refused run, or why a run was cut short. */
  readonly messages: readonly string[];
  /** The clauses with the verdict `pass`. */
  readonly passed: readonly ClauseId[];
  /** The clauses that the run says nothing about. */
  readonly unexercised: readonly ClauseId[];
  readonly complaints: readonly Complaint[];
  /** What was observed of each open point, as JSON. */
  readonly observed: Readonly<Record<string, string>>;
  /** What is wrong with the credits that a mock booked during the run, in words. */
  readonly imbalances: readonly string[];
}

/** One run to make. A world goes by its name: it cannot be sent to another thread. */
export interface Job {
  readonly world: string;
  readonly size: RunSize;
  readonly seed: number;
}

export interface ProofRun extends Job, Said {}

/** What every run must say of a world. */
export interface Expected {
  readonly ends: readonly ProofOutcome[];
  /** The clauses that the world breaks: each of them is blamed. */
  readonly breaks: readonly ClauseId[];
  /** The clauses that are in doubt: nothing shows for sure whether the world breaks them. */
  readonly doubted?: readonly ClauseId[];
  /** The clauses that may be blamed too, and why. */
  readonly alsoBlamed: Readonly<Partial<Record<ClauseId, string>>> | 'anything';
  /** The only clauses that may pass. Absent: any may. */
  readonly keeps?: readonly ClauseId[];
  /** All that is left unexercised within the caps of a live target. Absent: not known. */
  readonly leaves?: Leaves;
}

/** Nothing shows for sure what a doubtful caller breaks: it is neither blamed nor passed. */
export type CallerKind = 'broken-caller' | 'doubtful-caller' | 'faithful-caller';
export type WorldKind = 'defect' | 'variant' | 'adversary' | CallerKind;

/** A service or a caller whose verdicts are known. */
export interface World {
  /** Words joined by hyphens. */
  readonly name: string;
  readonly kind: WorldKind;
  readonly expected: Expected;
  /** Whether its verdicts hang on the clock: then it runs while the machine has little else to do. */
  readonly isTimed: boolean;
  /** Rejects only for a failure of ours. */
  readonly run: (size: RunSize, seed: number) => Promise<Said>;
}
