import type { Stricter } from './check-flags.ts';

/** The options of a command that makes reports from a journal. */
export interface JournalFlags {
  readonly report?: string;
  readonly failOn?: readonly Stricter[];
  readonly quiet?: boolean;
}
