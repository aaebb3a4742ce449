import type { ClauseId, Level } from '../../../fixtures/clauses/clauses.ts';
import type { Finding } from './ruling.ts';

/** One exchange as reports show it: text, with every key taken out and long bodies cut. */
export interface ShownExchange {
  readonly id: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly credential: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  };
  /** `answered`, or why there is no answer. */
  readonly outcome: string;
  readonly answer?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

export interface Evidence {
  readonly finding: Finding;
  /** The simplest request that still fails in the same way. */
  readonly exchange: ShownExchange;
  /** The counterpart, and the one place (a JSON pointer, or a phrase) in which the two differ. */
  readonly control?: { readonly exchange: ShownExchange; readonly difference: string };
  /** A curl line with `$CHAT_API_KEY` in it, to be pasted; empty for what a caller sent to a mock that is gone. */
  readonly curl: string;
  /** Of a caller: each request and its outcome, one line each. */
  readonly timeline?: readonly string[];
}

/** One way in which a check failed; `code` and `path` identify it. */
export interface FailureKind {
  readonly code: string;
  readonly path?: string;
  /** In how many trials. */
  readonly trials: number;
}

export interface CheckResult {
  readonly id: string;
  readonly clauses: readonly ClauseId[];
  readonly level: Level;
  readonly title: string;
  readonly verdict: Verdict;
  /** Empty only for `pass`. */
  readonly reason: string;
  readonly hint?: string;
  /** How many exchanges were judged. */
  readonly exchanges: number;
  /** Present: in so many trials what it judges could not be recognised, and in so many it held. */
  readonly trials?: { readonly held: number; readonly unreadable: number };
  /** Present: it tried only a part of its inputs; the seed chose some of them. */
  readonly inputs?: { readonly tried: number; readonly of: number };
  /** Present: so many of its inputs were not sent whole, because a cap was reached or the run was halted. */
  readonly cut?: number;
  /** Every way in which it failed; `evidence` has the first few. */
  readonly failures: readonly FailureKind[];
  readonly evidence: readonly Evidence[];
  /** Of a failure: the command that judges just this check again, and sends only what it takes. */
  readonly again?: string;
  /** Why each of its failures is known, when every one is: the reasons that the baseline gives. */
  readonly known?: readonly string[];
}

export interface ClauseResult {
  readonly id: ClauseId;
  readonly bound: 'service' | 'caller';
  readonly level: Level;
  readonly verdict: Verdict;
  readonly checks: readonly string[];
  readonly reason: string;
}

/** The value observed at an open point, or the list of all values if they differ. */
export interface OpenPointResult {
  readonly clause: ClauseId;
  readonly point: string;
  readonly observed: unknown;
  /** `observed` is then the list of all values. */
  readonly varied?: true;
  readonly pinned?: unknown;
}

/** A request whose outcome is unknown: to be checked in the workspace. */
export interface UncertainRequest {
  readonly id: string;
  readonly idempotencyKey?: string;
  readonly reason: string;
  readonly exchange: ShownExchange;
}

export interface Spent {
  readonly requests: number;
  readonly completions: number;
  readonly outputTokens: number;
  readonly uncertain: number;
}

/** Why a run could not begin. */
export interface NotBegun {
  readonly reason: string;
  /** The request that ended it, with the beginning of its answer. */
  readonly exchange?: ShownExchange;
}

/** A known bug that may be the cause of failures. */
export interface PossibleBug {
  /** The mock's defect of this name shows it. */
  readonly name: string;
  readonly story: string;
  readonly clauses: readonly string[];
  /** From 0 to 1, among the known bugs. */
  readonly chance: number;
}

/** What explains some of the failures of a run best. */
export interface LikelyCause {
  /** Whether the first bug alone is likely; otherwise it is one of them, or one that is like them. */
  readonly isLikely: boolean;
  /** The likeliest first; at most three. */
  readonly bugs: readonly PossibleBug[];
  /** IDs of the checks whose failures it explains. */
  readonly checks: readonly string[];
}

/** What a run amounts to beside the failures that a baseline lists. */
export interface BaselineResult {
  readonly outcome: RunOutcome;
  /** Why the baseline itself fails the run: an entry that has expired or no longer occurs. */
  readonly problems: readonly string[];
}

/** One request of a caller, for a picture of the scenario. */
export interface ScenarioRequest {
  readonly n: number;
  /** Milliseconds since the scenario began, like `to`; null: it was still under way at the end. */
  readonly from: number;
  readonly to: number | null;
  readonly kind: 'chat' | 'other';
  readonly outcome: string;
  readonly fault?: string;
  /** The effect on the credits. */
  readonly money?: string;
}

/** What a caller did in one scenario, and what each check says of it. */
export interface ScenarioResult {
  readonly name: string;
  /** `exit code 0`, `was killed by SIGTERM`. */
  readonly end: string;
  /** The last part of what it wrote. */
  readonly output: string;
  readonly verdicts: readonly {
    readonly check: string;
    readonly verdict: Verdict;
    /** Empty only for `pass`. */
    readonly reason: string;
  }[];
  readonly timeline: readonly string[];
  readonly requests: readonly ScenarioRequest[];
}

/** The findings of a run, from which every report is made. */
export interface Summary {
  readonly outcome: RunOutcome;
  readonly target: {
    /** Of a caller: its name. */
    readonly baseUrl: string;
    readonly kind: 'mock' | 'live' | 'caller';
    readonly profile: string | null;
    /** Present: a proxy judged what others sent, without a seed. */
    readonly passing?: true;
  };
  readonly seed: number;
  /** The most it could send; null where there was no cap. */
  readonly caps: Readonly<Record<'requests' | 'completions' | 'outputTokens', number | null>>;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly spent: Spent;
  readonly checks: readonly CheckResult[];
  readonly clauses: readonly ClauseResult[];
  readonly open: readonly OpenPointResult[];
  readonly uncertain: readonly UncertainRequest[];
  /** Why the run is incomplete: a cap, an interruption. */
  readonly cutShort: readonly string[];
  /** Why its verdicts prove less than they suggest: every answer 401, no stream seen, clauses never exercised. */
  readonly warnings: readonly string[];
  /** The known bugs that explain its failures best, those that explain the most checks first; absent: none does. */
  readonly causes?: readonly LikelyCause[];
  /** Present: nothing was judged. */
  readonly notBegun?: NotBegun;
  readonly baseline?: BaselineResult;
  /** Of a caller: what it did in each scenario. */
  readonly scenarios?: readonly ScenarioResult[];
}

/** The verdict on one check or one clause. `error` is a failure of ours, never the target's. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'observed' | 'not-exercised' | 'inconclusive' | 'error';

export type RunOutcome = 'conformant' | 'violations' | 'incomplete';
