import type { Reply } from './answer.ts';
import type { Identity } from './identity.ts';
import type { Received } from './received.ts';

/** One request, and what can be done about it. Exactly one of `reply` and `refuse` is called, now or later. */
export interface Exchange {
  readonly request: Received;
  readonly identity: Identity;
  /** Keeps something until the answer has been handed to the socket, or the client has gone. */
  readonly hold: (release: () => void) => void;
  readonly reply: Reply;
  /** Answers with the error object of what was thrown; anything but a ServiceError is a defect of ours. */
  readonly refuse: (error: unknown) => void;
}
