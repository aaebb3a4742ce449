import type { JsonObject, ENDPOINTS } from '../../fixtures/chats/chat.ts';
import type { ClauseId } from '../../fixtures/clauses/clauses.ts';

/** Why the service refused a request: nothing was done, and nothing was spent. */
type RefusalReason = 'rate-limit' | 'token-limit' | 'unknown-model' | 'unavailable' | 'other';

/** How a request ends so that nobody knows what was done. `no-answer`: the caller closed the connection before one came. */
export const UNCERTAIN = ['gateway', 'cut', 'no-answer'] as const;

/** `running`: the caller was still waiting when the observation ended. */
export type RequestOutcome = 'served' | 'running' | RefusalReason | (typeof UNCERTAIN)[number];

/** A request of a caller, as an observer saw it. It holds no key of the service. */
export interface ObservedRequest {
  /** `elsewhere`: at the other base URL that the caller was given. */
  readonly place: 'service' | 'elsewhere';
  /** All times are in milliseconds of the clock of the observer. */
  readonly arrivedAt: number;
  /** When the last byte of the answer left, or the connection ended: the caller knew nothing before. Undefined: never. */
  readonly knownAt: number | undefined;
  /** Whether the service was told to hold its answer. */
  readonly isHeld: boolean;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Lower-case names; without Authorization. */
  readonly headers: Readonly<Record<string, string>>;
  /** The key in Authorization, as reports name it; `the service's`: it went to the other base URL. */
  readonly credential: 'own' | "the service's" | 'unknown' | 'none';
  /** Where else the request has a key of the service: "the address", "the header x-key". */
  readonly keyIn: readonly string[];
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
  readonly body: string;
  readonly status: number | undefined;
  /** The whole body of the answer, even if only a part arrived. */
  readonly answer: string;
  readonly outcome: RequestOutcome;
  /** The fault that was triggered, and its phase. */
  readonly fault?: string | undefined;
  /** The effect on the credits. */
  readonly money?: string | undefined;
}

/** The same in its place among the others. */
export interface TimelineRequest extends ObservedRequest {
  /** From 1. */
  readonly n: number;
  /** The endpoint whose name the path ends with, whatever stands before it. */
  readonly endpoint: keyof typeof ENDPOINTS | undefined;
}

/** A chat completion request, and what it shows of the work that it is for. */
export interface Chat extends TimelineRequest {
  /** The body as a JSON object; undefined if it is not one. */
  readonly fields: JsonObject | undefined;
  /** The text of the last user message. What stands before it may be history, or a clock. */
  readonly text: string | undefined;
  /** The ID of its task item, or the mark of the caller. Undefined: neither shows, or two items have this text. */
  readonly item: string | undefined;
  /** Whether it shows an item of the task, even if two have its text, or a mark. */
  readonly isNamed: boolean;
  /** What it is for: its item, or else its text. Chats with the same work ask for the same. */
  readonly work: string;
}

export interface WorkspaceLookup {
  readonly at: number;
  /** An Idempotency-Key or a request ID; null: every request was shown. */
  readonly about: string | null;
  /** The requests of the workspace. */
  readonly entries: readonly {
    readonly requestId: string;
    readonly idempotencyKey: string | null;
    readonly state: string;
  }[];
}

/** What a driver recorded of one request; drivers rely on these keys. */
export interface DriverRecord {
  /** The ID of the task item. */
  readonly wish: string;
  readonly idempotencyKey?: string | undefined;
  readonly outcome: 'served' | 'refused' | 'uncertain';
}

/** A piece of output. */
export interface WrittenPiece {
  readonly at: number;
  readonly text: string;
}

/** What is known of the end of every caller. */
export interface CallerEndFacts {
  /** The last part of all that it wrote, and of what went to stderr. */
  readonly output: string;
  readonly stderr?: string;
  /** The pieces of the output, and when each came; absent: not known. */
  readonly written?: readonly WrittenPiece[];
  /** When its process ended; absent: not known. */
  readonly at?: number;
  /** When its server was killed and started anew, and when it was asked for the work again; absent: it was asked once. */
  readonly restart?: { readonly at: number; readonly drivenAt: number } | undefined;
}

export type CallerEnd = CallerEndFacts &
  (
    | { readonly kind: 'exited'; readonly code: number }
    | { readonly kind: 'signalled'; readonly signal: string }
    /** A server that still ran when what drove it had ended with this code. */
    | { readonly kind: 'driven'; readonly code: number }
    | { readonly kind: 'stopped'; readonly afterMs: number }
    /** It was only observed: nothing is known of its end. */
    | { readonly kind: 'watched' }
  );

/** A task item. No two items begin alike, up to the colon, unless they ask for the same. */
export interface TimelineItem {
  readonly id: string;
  readonly text: string;
  /** An image to send with the text, as a data: URL. */
  readonly image?: string | undefined;
}

/** What is known of a caller beside its requests. */
export interface CallerFacts {
  /** The name of the scenario; `watched` if none was played. */
  readonly scenario: string;
  /** The clauses that the scenario can exercise; undefined: any. */
  readonly clauses?: readonly ClauseId[] | undefined;
  readonly startedAt: number;
  /** Undefined: the observer does not see them. */
  readonly lookups: readonly WorkspaceLookup[] | undefined;
  /** What the caller was asked to do. A caller that did not read the task does its own work. */
  readonly items: readonly TimelineItem[];
  /** How many items it was asked to have in flight at once; undefined: it was not asked. */
  readonly atOnce?: number | undefined;
  /** What its driver recorded; undefined: nothing. */
  readonly records?: readonly DriverRecord[] | undefined;
  /** What the files of its folder hold at the end; absent: they are not seen. */
  readonly files?: string;
  /** Milliseconds that the caller was told to wait for an answer. */
  readonly timeoutMs: number;
  /** Whether the caller can know the model IDs only from the service. */
  readonly secretModels: boolean;
  /** The listed model ID that the caller was given without asking for it; undefined: none. */
  readonly givenModel?: string | undefined;
  /** How late the observer itself was at worst, in milliseconds: times are no more exact. Undefined: not measured. */
  readonly lagMs?: number | undefined;
  /** Why the scenario came to nothing: its fault met no request. Undefined: it met one, or there was none. */
  readonly unmet?: string | undefined;
  /** Why the observation is incomplete. */
  readonly problems?: readonly string[];
  /** How many the service generated; undefined: it was not counted. */
  readonly outputTokens?: number;
  readonly end: CallerEnd;
}

/** Everything observed of a caller in one scenario. */
export interface Timeline extends CallerFacts {
  /** In the order in which they arrived. */
  readonly requests: readonly TimelineRequest[];
  /** The chat completion requests among them, at the service and elsewhere. */
  readonly chats: readonly Chat[];
  readonly atService: readonly Chat[];
  /** The scenarios of the run before this one, and those after it. */
  readonly earlier: readonly Timeline[];
  readonly later: readonly Timeline[];
}

/** The timeout of the specification's tested configuration (CALL-6), in milliseconds. */
export const STATED_TIMEOUT_MS = 120_000;

/** What is known of a caller that was only watched. Documentation, or a world file, may have told it the model IDs. */
export const WATCHED: CallerFacts = {
  scenario: 'watched',
  startedAt: 0,
  lookups: undefined,
  items: [],
  timeoutMs: STATED_TIMEOUT_MS,
  secretModels: false,
  end: { kind: 'watched', output: '' },
};
