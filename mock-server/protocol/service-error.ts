import type { ErrorKind } from './error-table.ts';

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

/** A place in a JSON value (RFC 6901). */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Where something unexpected was thrown, for the log. */
export function traceOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'a value that is not an Error was thrown';
  return thrown.stack ?? thrown.message;
}
