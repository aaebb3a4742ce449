/** An input of a stimulus, and how the stimulus makes it again. */
export interface DrawnInput {
  /** The name of the stimulus. */
  readonly stimulus: string;
  /** Its text, or the hash of a long one; two inputs of equal text send equal requests. */
  readonly text: string;
  /** See `Draw`; absent in the reports of an older release. */
  readonly origin?: string;
}

/** A failure of an earlier run: the next run of that target sends its input first. */
export interface RememberedFailure {
  /** The ID of a check or an invariant. */
  readonly check: string;
  /** With `path`, identifies a failure of the check. */
  readonly code: string;
  readonly path?: string;
  /** Absent: no single input provoked it, or the report of an older release does not have it. */
  readonly input?: DrawnInput;
  /** How many draws the run began in which it was seen; absent in the reports of an older release. */
  readonly draws?: number;
}

/**
 * What may become of a failure of an earlier run, the worst first. `undecided`: its input was sent again, and no answer decides.
 * `not seen again`: only a whole run decides, no smaller than half of that in which it was seen.
 */
export const FATES = [
  'still fails',
  'fails differently',
  'undecided',
  'not sent again',
  'not seen again',
  'fixed',
] as const;

export type Fate = (typeof FATES)[number];

export function isSameInput(one: DrawnInput | undefined, other: DrawnInput | undefined): boolean {
  return one !== undefined && one.stimulus === other?.stimulus && one.text === other.text;
}
