import type { ErrorKind } from '../endpoints/error-table.ts';
import type { Choices } from './world-choices.ts';

/** One world: everything that a mock serves, and every choice where the specification leaves a point open. */
export interface World {
  readonly clock: ClockChoice;
  readonly models: readonly Model[];
  readonly workspaces: readonly Workspace[];
  readonly keys: readonly Key[];
  readonly limits: Limits;
  readonly choices: Choices;
}

/** Where the Date header, `created` and the age of an Idempotency-Key come from. `at` is an RFC 3339 instant. */
export type ClockChoice = { readonly kind: 'fixed'; readonly at: string } | { readonly kind: 'real' };

export interface Model {
  readonly id: string;
  /** Tokens of input and requested output together (LIM-1, LIM-2). */
  readonly contextTokens: number;
  /** Credits per token, whole numbers. */
  readonly price: Price;
  /** Whether image parts are accepted (MSG-4); absent: no. */
  readonly vision?: boolean;
  /** Absent: yes. One that is not is known, unlisted, and answered with `model_unavailable` (ERR-6). */
  readonly available?: boolean;
  /** Milliseconds a completion takes; absent: 0. */
  readonly latencyMs?: number;
  /** Milliseconds each token of the output takes; absent: 0. */
  readonly latencyPerTokenMs?: number;
}

export interface Price {
  readonly input: number;
  readonly output: number;
}

/** Who owns the credits. Its keys share them, and share one space of Idempotency-Keys. */
export interface Workspace {
  readonly id: string;
  /** Credits granted at the start, a whole number. */
  readonly credits: number;
}

export interface Key {
  readonly name: string;
  /** The bearer token itself. No answer and no log line shows it. */
  readonly key: string;
  readonly workspace: string;
  /** `inference` is what every endpoint needs (AUTH-2). */
  readonly scopes: readonly string[];
  /** IDs of the models it may use (MOD-2); absent: all. */
  readonly models?: readonly string[];
  /** Completions at the same time (ERR-5); absent: `limits.concurrency`. */
  readonly concurrency?: number;
}

/** The numbers that the specification does not show (LIM-5). */
export interface Limits {
  /** Completions in flight per key, where the key does not say its own. */
  readonly concurrency: number;
  /** Seconds, sent as Retry-After with a rate limit error. */
  readonly retryAfterSeconds: number;
  readonly bodyBytes: number;
  /** Levels of nested arrays and objects in a body. */
  readonly jsonDepth: number;
  /** Settled requests that the ledger remembers one by one; older ones are kept as totals. */
  readonly history: number;
  /** Milliseconds within which the head of a request must have arrived. */
  readonly headersMs: number;
  /** Milliseconds within which a request must have arrived whole. */
  readonly requestMs: number;
  /** Milliseconds that an unused connection is kept. */
  readonly keepAliveMs: number;
  /** Milliseconds of silence, in both directions, after which a connection is cut. */
  readonly silenceMs: number;
  /** Milliseconds that requests in flight are given when the mock closes. */
  readonly drainMs: number;
}

/** Another code or status for one kind of error (ERR-9, and AUTH-4 for `missing_scope`). */
export type ErrorOverrides = Readonly<
  Partial<Record<ErrorKind, { readonly code?: string; readonly status?: number }>>
>;
