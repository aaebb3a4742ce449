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
}

/** What became of a failure of an earlier run. `not sent again`: nobody knows. */
export type Fate = 'fixed' | 'still fails' | 'fails differently' | 'not sent again';

export function isSameInput(one: DrawnInput | undefined, other: DrawnInput | undefined): boolean {
  return one !== undefined && one.stimulus === other?.stimulus && one.text === other.text;
}
