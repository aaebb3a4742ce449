import type { Phase } from '../../fixtures/phases.ts';
import type { Exchange } from '../exchange.ts';
import type { Service } from '../service.ts';
import { ServiceError } from '../service-error.ts';
import { isLoss, isRefusal, type Outcome, type Refusal } from './trouble.ts';

/** What a phase leads to. */
interface Ways {
  readonly proceed: () => void;
  /** The answer was lost here; what becomes of the request. Absent: nothing that would not happen anyway. */
  readonly lost?: (outcome: Outcome) => void;
}

/**
 * Goes on past a phase, now or late, unless a fault strikes there: then the answer is lost, or a ServiceError is
 * thrown as from any step. What is thrown late is refused here.
 */
export function passPhase(
  service: Service,
  exchange: Exchange,
  phase: Exclude<Phase, 'inside-body'>,
  { proceed, lost }: Ways,
): void {
  const trouble = exchange.passage?.reach(phase);
  if (trouble === undefined) {
    proceed();
  } else if (isLoss(trouble)) {
    exchange.lose(trouble);
    lost?.(trouble.outcome);
  } else if (isRefusal(trouble)) {
    throw refusal(service, trouble.fault);
  } else {
    service.delays.after(trouble.ms, () => attempt(exchange, proceed));
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
