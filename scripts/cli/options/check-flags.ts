import type { Pace, Runs, ShardPlace, STRICTER } from '../../../suites/kit/model/run.ts';
import type { NetworkFlags } from './network-flags.ts';
import type { SecretFlags, SecretSource } from './read-secret.ts';

/** The options of a check as they were given, or with what the configuration adds. */
export interface CheckFlags extends SecretFlags, NetworkFlags {
  /** The configuration file; false: none. Absent: the nearest one. */
  readonly config?: string | false;
  /** The name of a target in the configuration. */
  readonly target?: string;
  /** Check the bundled mock, whatever names a target; false: never. Absent: where nothing names one. */
  readonly mock?: boolean;
  /** Print what holds and where it comes from, and send nothing. */
  readonly showConfig?: boolean;
  readonly baseUrl?: string;
  readonly controlUrl?: string;
  /** The command that starts the service. */
  readonly start?: string;
  /** Seconds to wait for the service. */
  readonly wait?: number;
  readonly profile?: string;
  readonly report?: string;
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** A module with checks of the user's own. */
  readonly checks?: string;
  /** Names of kinds of requests: nothing else is sent. */
  readonly send?: readonly string[];
  /** Check again on every change: below the working directory, or below these paths. */
  readonly watch?: boolean | readonly string[];
  /** The paths that the configuration names for it. */
  readonly watchPaths?: readonly string[];
  /** Check only what failed last. */
  readonly lastFailed?: boolean;
  /** Send nothing more once so many checks have failed. */
  readonly maxFailures?: number;
  readonly seed?: number;
  readonly tier?: Tier;
  readonly runs?: Runs;
  readonly concurrency?: number;
  /** Milliseconds. */
  readonly timeout?: number;
  /** As it is given: `15m`. */
  readonly maxTime?: string;
  readonly pace?: Pace;
  readonly maxRequests?: number;
  readonly maxCompletions?: number;
  readonly maxOutputTokens?: number;
  readonly allow?: readonly Permission[];
  readonly shard?: ShardPlace;
  readonly failOn?: readonly Stricter[];
  readonly header?: readonly string[];
  /** Those of the configuration. */
  readonly headers?: readonly HeaderSource[];
  /** What was given, where the configuration added to it. */
  readonly given?: CheckFlags;
  /** Where a value stands that was not given: in the configuration, or in a variable. */
  readonly places?: Readonly<Partial<Record<'target' | 'baseUrl' | 'controlUrl' | 'start', string>>>;
  /** The names of the targets in the configuration. */
  readonly targets?: readonly string[];
  /** The folder of the configuration, in which its `start` runs. */
  readonly folder?: string;
  readonly quiet?: boolean;
  /** Print what would be sent, and send nothing; a number: and how long that takes at so many milliseconds a completion. */
  readonly plan?: true | number;
  readonly json?: boolean;
}

/** A header as the command line or a configuration gives it. */
export interface HeaderSource {
  readonly name: string;
  readonly value: string | SecretSource;
  /** What messages call it; the value may be a secret, so that no message shows it. */
  readonly said: string;
}

/** Names of the usual sizes of a run, the smallest first. */
export const TIER_NAMES = ['free', 'smoke', 'full', 'exhaustive'] as const;

export type Tier = (typeof TIER_NAMES)[number];

/** What a run does only by leave. */
export const PERMISSIONS = ['disruptive', 'costly'] as const;

export type Permission = (typeof PERMISSIONS)[number];

export type Stricter = (typeof STRICTER)[number];

/** Random draws are seeded with 32 bits, one of them the sign. */
export const LARGEST_SEED = 2 ** 31 - 1;

/** The options of a command that makes reports from a journal. */
export interface JournalFlags {
  readonly report?: string;
  /** Absent: what the journal says. */
  readonly baseline?: string;
  /** Beside what the journal says. */
  readonly failOn?: readonly Stricter[];
  readonly quiet?: boolean;
}
