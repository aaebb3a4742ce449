import type { STRICTER } from '../../../suites/engine/model/run.ts';
import type { CHECK_OPTIONS } from './check-table.ts';
import type { FlagsOf } from './option.ts';

/** The options of a check as they were given, or with what the environment and the configuration add. */
export interface CheckFlags extends FlagsOf<typeof CHECK_OPTIONS> {
  /** What was given, where something was added to it. */
  readonly given?: CheckFlags;
  /** Where a value stands that was not given: in the configuration, or in a variable. */
  readonly places?: Readonly<Partial<Record<'target' | 'baseUrl' | 'controlUrl' | 'start', string>>>;
  /** The names of the targets in the configuration. */
  readonly targets?: readonly string[];
  /** The folder of the configuration, in which its `start` runs. */
  readonly folder?: string;
}

export type Stricter = (typeof STRICTER)[number];
