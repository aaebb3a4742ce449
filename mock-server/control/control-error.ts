/** A control request that is refused, whole: nothing of it was applied. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;
  /** Where it is wrong: a JSON pointer into the body (RFC 6901), or the name of a query parameter or a header. */
  readonly at: string | undefined;

  constructor(status: number, code: string, message: string, at?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.at = at;
  }
}
