import type { Phase } from '../faults/phases.ts';
import type { Exchange } from './exchange.ts';
import type { Service } from '../sandboxes/service.ts';
import { ServiceError } from '../protocol/service-error.ts';
import { isLoss, isRefusal, type Outcome, type Refusal } from '../faults/fault.ts';

/** A request on its way, with whatever it carries from one step to the next. */
interface PhaseContext {
  readonly exchange: Exchange;
}

/** A step of the way. It is handed what it works on: most requests meet no fault, and make no closures for one. */
type Step<Of, Also extends readonly unknown[] = []> = (service: Service, of: Of, ...also: Also) => void;

/**
 * Goes on past a phase, now or late, unless a fault strikes there: then the answer is lost, and what becomes of the
 * request is for `lost` to say (absent: nothing that would not happen anyway); or a ServiceError is thrown as from any
 * step. What is thrown late is refused here.
 */
export function runPhase<Of extends PhaseContext>(
  service: Service,
  phase: Exclude<Phase, 'inside-body'>,
  of: Of,
  next: Step<Of>,
  lost?: Step<Of, [Outcome]>,
): void {
  const { exchange } = of;
  const fault = exchange.faults?.faultAt(phase);
  if (fault === undefined) {
    next(service, of);
  } else if (isLoss(fault)) {
    exchange.lose(fault);
    lost?.(service, of, fault.outcome);
  } else if (isRefusal(fault)) {
    throw refusal(service, fault.fault);
  } else {
    service.delays.after(fault.ms, () => attempt(exchange, () => next(service, of)));
  }
}

function refusal({ world }: Service, fault: Refusal): ServiceError {
  if (fault !== 'rate_limit') return new ServiceError(fault);
  return new ServiceError(fault, { headers: ['retry-after', String(world.limits.retryAfterSeconds)] });
}

function attempt(exchange: Exchange, step: () => void): void {
  try {
    step();
  } catch (error) {
    exchange.refuse(error);
  }
}
