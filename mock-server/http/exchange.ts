import type { Reply } from './answer.ts';
import type { Passage } from '../faults/passage.ts';
import type { Loss } from '../faults/trouble.ts';
import type { Identity } from '../world/identity.ts';
import type { Received } from './received.ts';

/**
 * One request, and what can be done about it. One of `reply`, `refuse` and `lose` is called, now or later; after
 * `lose`, the others do nothing.
 */
export interface Exchange {
  readonly request: Received;
  readonly identity: Identity;
  /** Null: it can meet no fault, and no journal tells of it. */
  readonly passage: Passage | null;
  /** Keeps something until the answer has been handed to the socket, or the client has gone. */
  readonly hold: (release: () => void) => void;
  readonly reply: Reply;
  /** Answers with the error object of what was thrown; anything but a ServiceError is a defect of ours. */
  readonly refuse: (error: unknown) => void;
  /** The caller gets this in place of any answer. */
  readonly lose: (loss: Loss) => void;
}
