import type { Reply } from '../protocol/answer.ts';
import type { ReceivedRequest } from '../protocol/request.ts';
import type { Identity } from './identity.ts';
import type { Lost, RequestFaults } from './request-faults.ts';

/**
 * One request, and the ways to end it: `reply`, `refuse` or `lose`, now or later. After `lose`, the others do nothing.
 */
export interface Exchange {
  readonly request: ReceivedRequest;
  readonly identity: Identity;
  readonly faults: RequestFaults;
  /** Holds a resource until the answer was handed to the socket, or the client has gone. */
  readonly hold: (release: () => void) => void;
  readonly reply: Reply;
  /** Answers with an error object. Any error but a ServiceError is a failure of the mock itself. */
  readonly refuse: (error: unknown) => void;
  /** Applies a fault that takes the place of the answer. */
  readonly lose: (loss: Lost) => void;
}
