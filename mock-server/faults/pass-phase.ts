import type { Phase } from './phases.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Service } from '../service.ts';
import { ServiceError } from '../endpoints/service-error.ts';
import { isLoss, isRefusal, type Outcome, type Refusal } from './trouble.ts';

/** A request on its way, with whatever it carries from one step to the next. */
interface Traveller {
  readonly exchange: Exchange;
}

/** A step of the way. It is handed what it works on: most requests meet no fault, and make no closures for one. */
type Step<Of, Also extends readonly unknown[] = []> = (service: Service, of: Of, ...also: Also) => void;

/**
 * Goes on past a phase, now or late, unless a fault strikes there: then the answer is lost, and what becomes of the
 * request is for `lost` to say (absent: nothing that would not happen anyway); or a ServiceError is thrown as from any
 * step. What is thrown late is refused here.
 */
export function passPhase<Of extends Traveller>(
  service: Service,
  phase: Exclude<Phase, 'inside-body'>,
  of: Of,
  next: Step<Of>,
  lost?: Step<Of, [Outcome]>,
): void {
  const { exchange } = of;
  const trouble = exchange.passage?.reach(phase);
  if (trouble === undefined) {
    next(service, of);
  } else if (isLoss(trouble)) {
    exchange.lose(trouble);
    lost?.(service, of, trouble.outcome);
  } else if (isRefusal(trouble)) {
    throw refusal(service, trouble.fault);
  } else {
    service.delays.after(trouble.ms, () => attempt(exchange, () => next(service, of)));
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
