/** Why a service refused: nothing was done, and nothing was spent. */
export type RefusalReason = 'rate-limit' | 'token-limit' | 'unknown-model' | 'unavailable' | 'other';

/** What a request met. */
export type RequestOutcome =
  | { readonly kind: 'served' }
  | { readonly kind: 'refused'; readonly why: RefusalReason }
  /** A gateway answered, the connection broke off, or no answer came until the caller gave up. */
  | { readonly kind: 'uncertain'; readonly why: 'gateway' | 'cut' | 'no-answer' }
  /** Its caller was still waiting when the watch ended. */
  | { readonly kind: 'running' };

/** A request of the caller's as it arrived, and what became of it. No key of the service stands anywhere in it. */
export interface TimelineRequest {
  /** 1 for the first. */
  readonly n: number;
  /** `elsewhere`: at the other base URL that the caller was given. */
  readonly place: 'service' | 'elsewhere';
  /** Milliseconds since the watch began, as all times here. */
  readonly arrivedAt: number;
  /** When the caller could know what it met; undefined: it never could. */
  readonly knownAt: number | undefined;
  /** When the caller ended the connection itself, before an answer came. */
  readonly leftAt: number | undefined;
  /** Whether the service was told to let the caller wait for its answer. */
  readonly isHeld: boolean;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Lower-case names; without Authorization. */
  readonly headers: Readonly<Record<string, string>>;
  /** What Authorization carries: `foreign` at the other base URL is the service's own key. */
  readonly credential: 'own' | 'foreign' | 'unknown' | 'none';
  /** Where a key of the service's stood beside the Authorization header: "the address", "the header x-key". */
  readonly keyIn: readonly string[];
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
  readonly body: string;
  readonly status: number | undefined;
  /** The body of the answer as it was meant to arrive. */
  readonly answer: string;
  readonly outcome: RequestOutcome;
  /** The fault that struck, and where. */
  readonly fault: string | undefined;
  /** What became of the credits. */
  readonly money: string | undefined;
}

export type WorkspaceState = 'running' | 'succeeded' | 'failed' | 'under_review' | 'absent';

/** A look of the caller's into the workspace. */
export interface WorkspaceLookup {
  readonly at: number;
  /** An Idempotency-Key or a request ID; undefined: every request was shown. */
  readonly about: string | undefined;
  /** The state that it showed of a request, by request ID and by Idempotency-Key; all are absent that are not there. */
  readonly states: ReadonlyMap<string, WorkspaceState>;
}

/** What a driver wrote down of one request. */
export interface DriverRecord {
  /** The ID of the wish. */
  readonly wish: string;
  readonly idempotencyKey?: string;
  readonly outcome: 'served' | 'refused' | 'uncertain';
}

/** How the caller ended, and when its process did, as far as that is known: milliseconds since the watch began. */
export type CallerEnd =
  /** By itself; the output is what it wrote, cut. */
  | { readonly kind: 'exited'; readonly code: number; readonly output: string; readonly at?: number }
  | { readonly kind: 'signalled'; readonly signal: string; readonly output: string; readonly at?: number }
  /** It had not ended after so many milliseconds. */
  | { readonly kind: 'stopped'; readonly afterMs: number; readonly output: string }
  /** Nobody started it, and nobody knows. */
  | { readonly kind: 'watched' };

/** A wish as far as a judge needs it: what a text begins with tells which wish a request is for. */
export interface TimelineItem {
  readonly id: string;
  readonly begins: string;
  readonly image: boolean;
}

/** All that was seen of a caller in one scenario. */
export interface Timeline {
  /** The scenario's name; `watched` where nothing was staged. */
  readonly scenario: string;
  /** In the order in which they arrived. */
  readonly requests: readonly TimelineRequest[];
  readonly lookups: readonly WorkspaceLookup[];
  /** What the caller was asked for. Whoever did not look at it has wishes of its own. */
  readonly items: readonly TimelineItem[];
  /** How many of them it was asked to have under way at once; undefined: nothing was said of that. */
  readonly atOnce: number | undefined;
  /** What its driver wrote down; undefined: there is none. */
  readonly records: readonly DriverRecord[] | undefined;
  /** Milliseconds that the caller was told to wait for an answer. */
  readonly timeoutMs: number;
  /** Whether the model IDs are such that they can only have been read from the service. */
  readonly secretModels: boolean;
  readonly end: CallerEnd;
}
