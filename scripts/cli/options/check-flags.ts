import type { STRICTER } from '../../../suites/engine/model/run.ts';
import type { CHECK_OPTIONS } from './check-table.ts';
import type { FlagsOf } from './option.ts';
import type { SecretName, SecretSource } from './read-secret.ts';

/** The options of a check as they were given, or with what the environment and the configuration add. */
export interface CheckFlags extends FlagsOf<typeof CHECK_OPTIONS> {
  /** Where the configuration says that secrets are. */
  readonly secrets?: Readonly<Partial<Record<SecretName, SecretSource>>>;
  /** The headers of the configuration. */
  readonly headers?: readonly HeaderSource[];
  /** What was given, where something was added to it. */
  readonly given?: CheckFlags;
  /** Where a value stands that was not given: in the configuration, or in a variable. */
  readonly places?: Readonly<Partial<Record<'target' | 'baseUrl' | 'controlUrl' | 'start', string>>>;
  /** The names of the targets in the configuration. */
  readonly targets?: readonly string[];
  /** The folder of the configuration, in which its `start` runs. */
  readonly folder?: string;
}

/** A header as the command line or a configuration gives it. */
export interface HeaderSource {
  readonly name: string;
  readonly value: string | SecretSource;
  /** What messages call it; the value may be a secret, so that no message shows it. */
  readonly said: string;
}

export type Stricter = (typeof STRICTER)[number];
