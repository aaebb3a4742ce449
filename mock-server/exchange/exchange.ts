import type { Reply } from '../protocol/answer.ts';
import type { RequestFaults } from './request-faults.ts';
import type { Loss } from '../faults/fault.ts';
import type { Identity } from './identity.ts';
import type { ReceivedRequest } from '../protocol/request.ts';

/**
 * One request, and what can be done about it. One of `reply`, `refuse` and `lose` is called, now or later; after
 * `lose`, the others do nothing.
 */
export interface Exchange {
  readonly request: ReceivedRequest;
  readonly identity: Identity;
  /** Null: it can meet no fault, and no journal tells of it. */
  readonly faults: RequestFaults | null;
  /** Keeps something until the answer has been handed to the socket, or the client has gone. */
  readonly hold: (release: () => void) => void;
  readonly reply: Reply;
  /** Answers with the error object of what was thrown; anything but a ServiceError is a defect of ours. */
  readonly refuse: (error: unknown) => void;
  /** The caller gets this in place of any answer. */
  readonly lose: (loss: Loss) => void;
}
