/** Every error this service gives: its code, its HTTP status (ERR-10), and what it means, for people, in one sentence. */
export const ERROR_TABLE = {
  malformed_http: [400, 'The received bytes are not an HTTP request.'],
  invalid_encoding: [400, 'The body is not UTF-8.'],
  invalid_json: [400, 'The body is not JSON.'],
  json_too_deep: [400, 'The body is nested deeper than this service reads.'],
  unknown_field: [400, 'The request has a field that is not accepted; remove it.'],
  missing_field: [400, 'A required field is absent.'],
  invalid_value: [400, 'A field has a value of the wrong type or out of bounds.'],
  image_not_allowed: [400, 'An image part is in a message not from the user, or the model has no vision.'],
  token_limit: [400, 'Input and requested output are too large for the context of the model; reduce either.'],
  idempotency_key_required: [400, 'The Idempotency-Key header is absent.'],
  invalid_idempotency_key: [400, 'The Idempotency-Key is empty or too long.'],
  invalid_fault: [400, 'The requested fault is invalid.'],
  missing_key: [401, 'The request carries no bearer key.'],
  invalid_key: [401, 'The key is not known.'],
  insufficient_credits: [402, 'The workspace has too few credits left to reserve.'],
  missing_scope: [403, 'The key lacks the inference scope.'],
  not_found: [404, 'Nothing is served at this path.'],
  unknown_model: [404, 'The model is not one that the models endpoint lists for this key.'],
  unanswered: [404, 'No answer is recorded or chosen for this chat.'],
  method_not_allowed: [405, 'The path does not support this method.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  idempotency_in_flight: [409, 'A request with this Idempotency-Key is still running.'],
  idempotency_under_review: [
    409,
    'The outcome of the request with this Idempotency-Key is uncertain; look it up in the workspace.',
  ],
  idempotency_repeated: [409, 'This Idempotency-Key was used before.'],
  body_too_large: [413, 'The body is larger than this service reads.'],
  uri_too_long: [414, 'The path with its query is longer than this service reads.'],
  unsupported_media_type: [415, 'The body is not declared as plain JSON.'],
  expectation_failed: [417, 'The Expect header asks for something that this service does not offer.'],
  idempotency_mismatch: [422, 'This Idempotency-Key was used with another payload; use a fresh one.'],
  rate_limit: [429, 'Too many requests of this key at once; reduce concurrency.'],
  headers_too_large: [431, 'The headers are larger than this service reads.'],
  internal_error: [500, 'The service failed; this is a defect of the service.'],
  model_unavailable: [503, 'The model is known but cannot be used now.'],
  service_unavailable: [503, 'The service cannot be used now.'],
} as const satisfies Readonly<Record<string, readonly [status: number, meaning: string]>>;

/** The code of an error here: fixed, while a world may send another code or status for it (ERR-9). */
export type ErrorKind = keyof typeof ERROR_TABLE;

/** One step into a JSON value: the name of a member, or the index of an element. */
export type Step = string | number;

interface Particulars {
  /** What is wrong, without a full stop; absent: the meaning in the table suffices. */
  readonly detail?: string;
  /** Where in the body. Names in it are the caller's: nothing shows them unredacted. */
  readonly path?: readonly Step[];
  /** Names and values in turn. */
  readonly headers?: readonly string[];
}

/** A refusal (ERR-1). Thrown by any step of the transaction; the request was not served. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ErrorKind;
  readonly particulars: Particulars;

  constructor(kind: ErrorKind, particulars: Particulars = {}) {
    super(kind);
    this.kind = kind;
    this.particulars = particulars;
  }
}

/** At most so many code units, and a sign that there are more. Half a surrogate pair becomes U+FFFD. */
export function shortened(text: string, longest: number): string {
  return (text.length > longest ? `${text.slice(0, longest)}…` : text).toWellFormed();
}

/** Where something unexpected was thrown, for the log. */
export function traceOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'a value that is not an Error was thrown';
  return thrown.stack ?? thrown.message;
}
