import type { Caller } from '../world/caller.ts';
import { ServiceError } from '../endpoints/service-error.ts';

/** Takes one of the caller's slots, or throws `rate_limit` (ERR-5). Call what it returns, once, to give it back. */
export function admit(caller: Caller, retryAfterSeconds: number): () => void {
  if (caller.inFlight >= caller.concurrency) {
    throw new ServiceError('rate_limit', { headers: ['retry-after', String(retryAfterSeconds)] });
  }
  caller.inFlight += 1;
  return () => {
    caller.inFlight -= 1;
  };
}
