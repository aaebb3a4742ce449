import type { Outcome } from '../faults/fault.ts';
import type { ProcessingPhase } from '../rules/phases.ts';
import type { Delays, QuietPeriodBatcher } from '../time/delays.ts';
import type { Exchange } from './exchange.ts';

/** A request, and what its next step needs. */
interface PhaseContext {
  readonly exchange: Exchange;
}

interface PhaseService {
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
  lost?: Step<Service, Context, [Outcome]>,
): void {
  const { exchange } = context;
  const fault = exchange.faults.at(phase);
  if (fault === undefined) {
    next(service, context);
  } else if (fault.kind === 'lose') {
    const lose = (): void => {
      exchange.lose(fault);
      lost?.(service, context, fault.outcome);
    };
    if (service.batcher === undefined) lose();
    else service.batcher.before(() => attempt(exchange, lose));
  } else if (fault.kind === 'refuse') {
    throw fault.error;
  } else {
    service.delays.after(fault.ms, () => attempt(exchange, () => next(service, context)));
  }
}

function attempt(exchange: Exchange, step: () => void): void {
  try {
    step();
  } catch (error) {
    exchange.refuse(error);
  }
}
