import type { ServerResponse } from 'node:http';

export interface ControlAnswer {
  readonly status: number;
  /** Undefined: the answer has no body. An OpenAnswer writes itself. */
  readonly body?: unknown;
}

/** An answer that goes on until the caller disconnects. */
export class OpenAnswer {
  /** Writes head and body. Resolves when the caller has disconnected. */
  readonly write: (response: ServerResponse) => Promise<void>;

  constructor(write: (response: ServerResponse) => Promise<void>) {
    this.write = write;
  }
}

const LONGEST = 500;

/** What was sent may be large, and need not come back. */
function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}

/** A refused control request, of which nothing was applied. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;
  /** The wrong place: a JSON pointer into the body (RFC 6901), or the name of a query parameter or a header. */
  readonly at: string | undefined;

  constructor(status: number, code: string, message: string, at?: string) {
    super(shortened(message));
    this.status = status;
    this.code = code;
    this.at = at && shortened(at);
  }
}
