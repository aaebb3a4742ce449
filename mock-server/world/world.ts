import type { ErrorKind } from '../protocol/error-table.ts';

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

/** How a world fills the points that the specification leaves open, by the clause that leaves each open. */
export interface Choices {
  readonly request: RequestChoices;
  readonly messages: MessageChoices;
  readonly images: ImageChoices;
  readonly response: ResponseChoices;
  readonly models: ModelListChoices;
  readonly vision: VisionChoices;
  readonly stream: StreamChoices;
  readonly idempotency: IdempotencyChoices;
  readonly errors: ErrorChoices;
  readonly versioning: VersioningChoices;
  readonly faults: FaultChoices;
}

/** REQ-8. `stream` has no bounds, and false is its default by REQ-7. */
export interface RequestChoices {
  readonly temperatureMinimum: number;
  readonly temperatureMaximum: number;
  readonly maxTokensMinimum: number;
  /** Output tokens allowed where `max_tokens` is absent, as far as the context has room. */
  readonly maxTokensDefault: number;
}

/** MSG-6. */
export interface MessageChoices {
  /** Fields of a message beyond role and content. */
  readonly extraFields: 'refuse' | 'ignore';
  readonly emptyList: 'refuse' | 'accept';
  readonly emptyContent: 'refuse' | 'accept';
}

/** MSG-5: where the `url` of an image part may point. Nothing is ever fetched. */
export interface ImageChoices {
  readonly schemes: readonly ('data' | 'https')[];
}

/** RES-6. */
export interface ResponseChoices {
  readonly finishReasonField: string;
  readonly finishReasonPlace: 'choice' | 'root';
  readonly usageField: string;
  readonly inputTokensField: string;
  readonly outputTokensField: string;
  readonly totalTokensField: string;
  /** Further fields at the root of a completion, as they are to be sent. */
  readonly extraFields: Readonly<Record<string, string | number | boolean | null>>;
}

/** MOD-3. */
export interface ModelListChoices {
  /** `{ object, data: [] }`, `{ models: [] }`, or the list itself. */
  readonly shape: 'data' | 'models' | 'list';
  readonly idField: string;
}

/** VIS-3: a list of models that says of each whether it has vision, a map of that, or one flag for the key. */
export interface VisionChoices {
  readonly shape: 'list' | 'map' | 'flag';
}

/** STR-5. */
export interface StreamChoices {
  /** Many chunks in the common convention, or one event with the whole completion. */
  readonly framing: 'chunks' | 'one-event';
  /** The `event:` name of every event, or none. */
  readonly eventName: string | null;
  /** The data of a last event that says that the stream ends, or none. */
  readonly terminator: string | null;
  readonly newline: 'lf' | 'crlf';
  /** A comment line before the first event, or none. */
  readonly comment: string | null;
}

/** IDEM-4. */
export interface IdempotencyChoices {
  readonly missing: 'accept' | 'refuse';
  /** `serve` pays no attention to the key at all. */
  readonly repeated: 'replay' | 'refuse' | 'serve';
  readonly retentionSeconds: number;
  /** Keys remembered at least; twice as many at most. */
  readonly capacity: number;
}

/** ERR-9. */
export interface ErrorChoices {
  /** `{ "error": { … } }`, or the three items at the root. */
  readonly shape: 'nested' | 'root';
  readonly requestIdField: string;
  readonly overrides: ErrorOverrides;
}

/** VER-3: values of the `deprecation` and `sunset` headers, or none. */
export interface VersioningChoices {
  readonly deprecation: string | null;
  readonly sunset: string | null;
}

/** Nothing of the specification's: whether a request can ask for a fault itself. */
export interface FaultChoices {
  /** In the header `x-mock-fault`. */
  readonly header: 'allow' | 'ignore';
  /** With a model ID that begins with `fault:`; refused, it is a model like any other. */
  readonly models: 'allow' | 'refuse';
}
