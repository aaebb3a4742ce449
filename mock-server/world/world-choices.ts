import type { ErrorOverrides } from './world.ts';

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
