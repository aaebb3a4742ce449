import type { ProcessingPhase } from '../faults/catalogue/phases.ts';
import { isLoss, isRefusal, type LostRequestOutcome, type Refusal } from '../faults/fault.ts';
import { retryAfterHeader } from '../faults/rule.ts';
import { drawMilliseconds } from '../faults/spread.ts';
import { ServiceError } from '../protocol/service-error.ts';
import type { Clock } from '../time/clock.ts';
import type { Delays, QuietPeriodBatcher } from '../time/delays.ts';
import type { World } from '../world/world.ts';
import type { Exchange } from './exchange.ts';

/** A request, and what its next step needs. */
interface PhaseContext {
  readonly exchange: Exchange;
}

interface PhaseService {
  readonly world: World;
  readonly seed: number;
  readonly clock: Clock;
  readonly delays: Delays;
  /** Where lost answers wait until no further request arrives; undefined: they do not wait. */
  readonly batcher: Pick<QuietPeriodBatcher, 'before'> | undefined;
}

/** Takes its context as a parameter, so that requests without a fault create no closures. */
type Step<Service, Context, Also extends readonly unknown[] = []> = (
  service: Service,
  context: Context,
  ...also: Also
) => void;

/**
 * Calls `next`, now or late, unless a fault triggers at this phase. A refusal is thrown as a ServiceError, like that of
 * any other step. Where the answer is lost, `lost` decides what becomes of the request. Errors after a delay go to
 * `exchange.refuse`.
 */
export function runPhase<Service extends PhaseService, Context extends PhaseContext>(
  service: Service,
  phase: ProcessingPhase,
  context: Context,
  next: Step<Service, Context>,
  lost?: Step<Service, Context, [LostRequestOutcome]>,
): void {
  const { exchange } = context;
  const fault = exchange.faults?.faultAt(phase);
  if (fault === undefined) {
    next(service, context);
  } else if (isLoss(fault)) {
    const lose = (): void => {
      exchange.lose(fault);
      lost?.(service, context, fault.outcome);
    };
    if (service.batcher === undefined) lose();
    else service.batcher.before(() => attempt(exchange, lose));
  } else if (isRefusal(fault)) {
    throw refusal(service, fault);
  } else {
    const ms = drawMilliseconds(fault.ms, `${service.seed} ${phase} ${exchange.identity.requestId}`);
    service.delays.after(ms, () => attempt(exchange, () => next(service, context)));
  }
}

/** The error of a rate limit says when to come again, unless the fault says otherwise. */
function refusal({ world, clock }: PhaseService, refused: Refusal): ServiceError {
  const { fault } = refused;
  const seconds = world.limits.retryAfterSeconds;
  const asked =
    ('retry_after' in refused ? refused.retry_after : null) ?? (fault === 'rate_limit' ? seconds : 'absent');
  return new ServiceError(fault, { headers: retryAfterHeader(asked, clock(), seconds) });
}

function attempt(exchange: Exchange, step: () => void): void {
  try {
    step();
  } catch (error) {
    exchange.refuse(error);
  }
}
