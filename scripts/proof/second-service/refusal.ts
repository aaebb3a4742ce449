/** The reasons for a refusal, each with its conventional status. */
export const REFUSALS = {
  malformed: 400,
  wrong_value: 400,
  unknown_field: 400,
  wrong_image: 400,
  token_limit: 400,
  key_missing: 400,
  no_credential: 401,
  wrong_credential: 401,
  no_credits: 402,
  no_scope: 403,
  no_such_path: 404,
  no_such_model: 404,
  wrong_method: 405,
  key_used: 409,
  too_many_bytes: 413,
  wrong_type: 415,
  rate_limit: 429,
  unavailable: 503,
} as const;

export type RefusalKind = keyof typeof REFUSALS;

/** Ends the handling of a request with an application error, which consumes nothing. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export function refuse(kind: RefusalKind, message: string): never {
  throw new Refusal(kind, message);
}
