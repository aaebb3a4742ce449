import type { JsonReport } from './report-schema.ts';

/** A failure of an earlier run: the next run of that target sends its input first. */
export type RememberedFailure = NonNullable<JsonReport['remembered']>[number];

/** An input of a stimulus, and how the stimulus makes it again; two of equal text send equal requests. */
export type DrawnInput = NonNullable<RememberedFailure['input']>;

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
