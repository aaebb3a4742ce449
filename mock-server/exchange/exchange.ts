import type { ReceivedRequest } from '../protocol/request.ts';
import type { ProcessingPhase } from '../rules/phases.ts';
import type { Delays } from '../time/delays.ts';
import type { Identity } from './identity.ts';
import type { MetLoss, RequestFaults } from './request-faults.ts';

/**
 * One request on the way to its answer. A step of its service returns, or throws: a ServiceError refuses the request,
 * `Lost` loses its answer, and anything else is a failure of the mock itself.
 */
export interface Exchange {
  readonly request: ReceivedRequest;
  readonly identity: Identity;
  readonly faults: RequestFaults;
  /** Passes a point at which a fault can trigger: waits, refuses or loses. */
  readonly phase: (name: ProcessingPhase) => Promise<void>;
  /** Holds a resource until the answer was handed to the socket, or the client has gone. */
  readonly hold: (release: () => void) => void;
}

/** A fault takes the place of the answer. */
export class Lost extends Error {
  override readonly name = 'Lost';
  readonly loss: MetLoss;

  constructor(loss: MetLoss) {
    super(loss.fault);
    this.loss = loss;
  }
}

/** Waits, throws a ServiceError or throws `Lost`, as the rule says that triggers at this phase, if any does. */
export async function passPhase(
  { delays }: { readonly delays: Delays },
  faults: RequestFaults,
  phase: ProcessingPhase,
): Promise<void> {
  const met = faults.at(phase);
  if (met?.kind === 'refuse') throw met.error;
  if (met?.kind === 'lose') throw new Lost(met);
  if (met !== undefined) await delays.wait(met.ms);
}
