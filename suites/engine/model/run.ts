import type { Check, Invariant } from './check.ts';
import type { Control } from './deployment.ts';
import type { KnownFailure, Journal } from './entry-schema.ts';
import type { Exchange, KeyName, SecretPlaces } from './exchange.ts';
import type { Network } from './network.ts';
import type { Finding, Kind } from './ruling.ts';
import type { RememberedFailure } from './stimulus.ts';
import type { Spent, Summary } from './summary.ts';
import type { Profile } from './target.ts';

/** Secrets: the sender returns none of them. */
export type Keys = { readonly primary: string } & { readonly [name in Exclude<KeyName, 'primary'>]?: string };

export interface Target {
  /** Ends in the version segment, without a slash after it. */
  readonly baseUrl: string;
  readonly kind: 'mock' | 'live';
  /** In the configuration, if it has one. */
  readonly name?: string | undefined;
  readonly keys: Keys;
  readonly profile: Profile;
  /** Sent with every request, beside what the request itself carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** Present: nothing was sent; what others sent was judged. */
  readonly passing?: true;
  /** Absent: straight to the base URL. */
  readonly network?: Network | undefined;
  /** Where the secrets were read, for messages and curl lines. Absent: in the usual variables. */
  readonly secrets?: SecretPlaces | undefined;
}

/** A rate that requests are held to. */
export interface Pace {
  readonly requests: number;
  readonly perMs: number;
}

/** Limits that the sender enforces; Infinity: no limit. */
export interface Caps {
  readonly requests: number;
  readonly completions: number;
  /** The most output tokens one request asks for, unless its check needs more. */
  readonly outputTokens: number;
}

/**
 * Random draws per stimulus after those that must be tried; `few` tries only each stimulus's own few, and `fewest` a
 * quarter of them, some of which the seed chooses.
 */
export type Runs = number | 'few' | 'fewest';

/**
 * Failures of every check of a stimulus, or charges for what must be refused, after which a run sends no more of it.
 * `completions`: its cap on them.
 */
export function enoughFailures(isThrifty: boolean, completions: number | null): number {
  if (isThrifty) return 3;
  return Number.isFinite(completions) ? 20 : Infinity;
}

/** What else makes a run fail, for those who want it to. */
export const STRICTER = ['warn', 'not-exercised', 'inconclusive'] as const;

/** What a baseline lists. */
export interface KnownFailures {
  /** As it stands there: the journal repeats it. */
  readonly listed: readonly KnownFailure[];
  readonly checks: ReadonlySet<string>;
  readonly lists: (checkId: string, failure: Kind) => boolean;
}

/** Whether a known failure is accepted no longer on the day of this time (ISO 8601, UTC). */
export function isExpired({ until }: KnownFailure, time: string): boolean {
  return until !== undefined && until < time.slice(0, 'yyyy-mm-dd'.length);
}

export interface Progress {
  /** The stimulus whose draw ended last. */
  readonly stimulus: string;
  readonly done: number;
  readonly total: number;
  readonly spent: Pick<Spent, 'requests' | 'completions'>;
}

export interface RunOptions {
  readonly target: Target;
  /** Absent: faults cannot be armed, and the workspace cannot be read. */
  readonly control?: Control | undefined;
  readonly checks: readonly Check[];
  readonly invariants: readonly Invariant[];
  /** Present: `checks` only provoke, and nothing but the invariants is judged. */
  readonly judges?: 'invariants' | undefined;
  /**
   * Present: the run checks a part of what there is. The IDs of the invariants that were asked for: the others are reported
   * where they fail on an input on which no check decided, or which failed before.
   */
  readonly selected?: ReadonlySet<string> | undefined;
  readonly seed: number;
  readonly runs: Runs;
  /** The most requests in flight. */
  readonly concurrency: number;
  readonly timeoutMs: number;
  /** Milliseconds after which nothing more is sent, and what is in flight is finished within five seconds. Absent: no limit. */
  readonly maxTimeMs?: number;
  /** Absent: as fast as the concurrency and the target let it. */
  readonly pace?: Pace | undefined;
  readonly caps: Caps;
  /** Present: nothing is sent that must be served, nor any counterpart that is a completion. */
  readonly withholds?: 'completions' | undefined;
  /** Present: nothing more is sent once so many checks have failed, besides those that are known to. */
  readonly maxFailures?: number | undefined;
  /** What is sent for checks that are known to fail, and for no other, is sent last, up to the first failure, and not simplified. */
  readonly known?: KnownFailures | undefined;
  /** What else fails the run: only its journal says so, for those who report it. */
  readonly failOn?: readonly (typeof STRICTER)[number][] | undefined;
  readonly allow: ReadonlySet<'disruptive' | 'costly'>;
  /** What failed in earlier runs of the target: the inputs of what this run was asked for are sent first. */
  readonly remembered?: readonly RememberedFailure[];
  /** The command that makes such a run again, without what selects its checks: reports name it. Holds no secret. */
  readonly again?: string;
  /** When aborted: what is in flight is finished, nothing more is sent, the summary says so. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Called with the first failure that is not known and fails the run. */
  readonly onFirstFailure?: (check: Check, finding: Finding) => void;
  /** Called once what failed before was sent again, with the IDs of what still fails. */
  readonly onSentAgain?: (failed: readonly string[]) => void;
  /** Called with the milliseconds, a second or more, that the target asks to wait before anything else is sent. */
  readonly onWait?: (ms: number) => void;
  /** Absent: the run returns its summary only. */
  readonly journal?: Journal;
  /** Called with every exchange as it ends, keys taken out. */
  readonly onExchange?: (exchange: Exchange) => void;
}

type Selection = Pick<RunOptions, 'checks' | 'invariants' | 'judges' | 'selected'>;

export function askedFor({ judges, selected, ...run }: Selection): readonly (Check | Invariant)[] {
  const own = judges === undefined ? run.checks : [];
  return [...own, ...run.invariants.filter(({ id }) => selected?.has(id) ?? true)];
}

/** What failed before of that which a run was asked for. */
export function rememberedIn(run: Selection & Pick<RunOptions, 'remembered'>): readonly RememberedFailure[] {
  const asked = new Set(askedFor(run).map(({ id }) => id));
  return (run.remembered ?? []).filter(({ check }) => asked.has(check));
}

/** Caps as JSON says them, which has no Infinity: null where there is no cap. */
export function finiteCaps({ requests, completions, outputTokens }: Caps): Summary['caps'] {
  return JSON.parse(JSON.stringify({ requests, completions, outputTokens }));
}
