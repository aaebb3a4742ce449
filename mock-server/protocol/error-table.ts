interface ErrorRow {
  readonly code: string;
  readonly status: number;
  /** For people, in one sentence. */
  readonly meaning: string;
}

/** A row whose code is its name: a world can give another (ERR-9). */
function row<const Code extends string>(
  code: Code,
  status: number,
  meaning: string,
): ErrorRow & { code: Code } {
  return { code, status, meaning };
}

/** Every error this service gives: its code, its HTTP status (ERR-10), and what it means. */
export const ERROR_TABLE = {
  malformed_http: row('malformed_http', 400, 'The received bytes are not an HTTP request.'),
  invalid_encoding: row('invalid_encoding', 400, 'The body is not UTF-8.'),
  invalid_json: row('invalid_json', 400, 'The body is not JSON.'),
  json_too_deep: row('json_too_deep', 400, 'The body is nested deeper than this service reads.'),
  unknown_field: row('unknown_field', 400, 'The request has a field that is not accepted; remove it.'),
  missing_field: row('missing_field', 400, 'A required field is absent.'),
  invalid_value: row('invalid_value', 400, 'A field has a value of the wrong type or out of bounds.'),
  image_not_allowed: row(
    'image_not_allowed',
    400,
    'An image part is in a message that is not from the user, or the model has no vision.',
  ),
  token_limit: row(
    'token_limit',
    400,
    'Input and requested output are too large for the context of the model; reduce either.',
  ),
  idempotency_key_required: row('idempotency_key_required', 400, 'The Idempotency-Key header is absent.'),
  invalid_idempotency_key: row('invalid_idempotency_key', 400, 'The Idempotency-Key is empty or too long.'),
  invalid_fault: row('invalid_fault', 400, 'The requested fault is invalid.'),
  missing_key: row('missing_key', 401, 'The request carries no bearer key.'),
  invalid_key: row('invalid_key', 401, 'The key is not known.'),
  insufficient_credits: row(
    'insufficient_credits',
    402,
    'The workspace has too few credits left to reserve.',
  ),
  missing_scope: row('missing_scope', 403, 'The key lacks the inference scope.'),
  not_found: row('not_found', 404, 'Nothing is served at this path.'),
  unknown_model: row(
    'unknown_model',
    404,
    'The model is not one that the models endpoint lists for this key.',
  ),
  unanswered: row('unanswered', 404, 'No answer is recorded or chosen for this chat.'),
  method_not_allowed: row('method_not_allowed', 405, 'The path does not support this method.'),
  request_timeout: row('request_timeout', 408, 'The request did not arrive in time.'),
  idempotency_in_flight: row(
    'idempotency_in_flight',
    409,
    'A request with this Idempotency-Key is still running.',
  ),
  idempotency_under_review: row(
    'idempotency_under_review',
    409,
    'The outcome of the request with this Idempotency-Key is uncertain; look it up in the workspace.',
  ),
  idempotency_repeated: row('idempotency_repeated', 409, 'This Idempotency-Key was used before.'),
  body_too_large: row('body_too_large', 413, 'The body is larger than this service reads.'),
  uri_too_long: row('uri_too_long', 414, 'The path with its query is longer than this service reads.'),
  unsupported_media_type: row('unsupported_media_type', 415, 'The body is not declared as plain JSON.'),
  expectation_failed: row(
    'expectation_failed',
    417,
    'The Expect header asks for something that this service does not offer.',
  ),
  idempotency_mismatch: row(
    'idempotency_mismatch',
    422,
    'This Idempotency-Key was used with another payload; use a fresh one.',
  ),
  rate_limit: row('rate_limit', 429, 'Too many requests of this key at once; reduce concurrency.'),
  headers_too_large: row('headers_too_large', 431, 'The headers are larger than this service reads.'),
  internal_error: row('internal_error', 500, 'The service failed; this is a defect of the service.'),
  model_unavailable: row('model_unavailable', 503, 'The model is known but cannot be used now.'),
  service_unavailable: row('service_unavailable', 503, 'The service cannot be used now.'),
} as const satisfies Readonly<Record<string, ErrorRow>>;

/** The name of a row: fixed, while a world may send another code or status for it. */
export type ErrorKind = keyof typeof ERROR_TABLE;
