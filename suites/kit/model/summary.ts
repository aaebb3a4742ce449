import type { ClauseId, Level } from '../../../fixtures/clauses/clauses.ts';
import type { DrawnInput, Fate, RememberedFailure } from './remembered.ts';
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
  /** Absent: no single input provoked it. */
  readonly input?: DrawnInput;
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

/** What became of one way in which a check failed in an earlier run. */
export interface EarlierFailure extends Omit<FailureKind, 'trials'> {
  readonly fate: Fate;
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
  /** The duties of its clauses that it decides, each with its own verdict. */
  readonly duties?: readonly DutyResult[];
  /** Present: it tried only a part of its inputs; the seed chose some of them. */
  readonly inputs?: { readonly tried: number; readonly of: number };
  /** Present: so many of its inputs were not sent whole, because a cap was reached or the run was halted. */
  readonly cut?: number;
  /** Of a failure: in so many trials it held. */
  readonly held?: number;
  /** Every way in which it failed; `evidence` has the first few. */
  readonly failures: readonly FailureKind[];
  readonly evidence: readonly Evidence[];
  /** Present: it failed in an earlier run of the target. */
  readonly before?: readonly EarlierFailure[];
  /** Of a failure: the command that judges just this check again, and sends only what it takes. */
  readonly again?: string;
  /** Why each of its failures is known, when every one is: the reasons that the baseline gives. */
  readonly known?: readonly string[];
}

/** What was seen of a duty. */
export interface DutyResult {
  readonly duty: string;
  readonly verdict: Verdict;
  /** Empty only for `pass`. */
  readonly reason: string;
}

export interface ClauseResult {
  readonly id: ClauseId;
  readonly bound: 'service' | 'caller';
  readonly level: Level;
  readonly verdict: Verdict;
  readonly checks: readonly string[];
  readonly reason: string;
  /** Present: it passed in part. Each duty that was not seen to hold, and why: what to set, if that helps. */
  readonly missing?: readonly Pick<DutyResult, 'duty' | 'reason'>[];
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

/** What usually causes a finding, and what mends it. */
export interface Remedy {
  /** A framework, a library, or what stands before the service; absent: whatever the service is made of. */
  readonly of?: string;
  /** What in the run shows it; absent: a usual cause, and no more than that. */
  readonly seen?: string;
  readonly cause: string;
  /** The line to change. */
  readonly mend: string;
  /** Where the documentation stands that says so. */
  readonly docs?: string;
}

/** What a run says of its baseline. */
export interface BaselineResult {
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
  /** Decides the exit code: known failures do not count, what the run was told to fail on does. */
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
  /** Present: what failed, in this run or before, and was not seen to be fixed. */
  readonly remembered?: readonly RememberedFailure[];
  /** Present: nothing was judged. */
  readonly notBegun?: NotBegun;
  readonly baseline?: BaselineResult;
  /** Present: what it fails on only because it was told to, a line for each kind. */
  readonly failedOn?: readonly string[];
  /** Of a caller: what it did in each scenario. */
  readonly scenarios?: readonly ScenarioResult[];
}

/** The verdict on one check or one clause. `error` is a failure of ours, never the target's. */
export type Verdict = 'pass' | 'fail' | 'warn' | 'observed' | 'not-exercised' | 'inconclusive' | 'error';

export type RunOutcome = 'conformant' | 'violations' | 'incomplete';
