import { answerWith, completeOrder } from '../chat/complete-order.ts';
import { workOf } from '../chat/completion.ts';
import { cost } from '../chat/order.ts';
import type { Service } from '../service.ts';
import type { Resolution } from './ledger.ts';
import { type Job, tellLedger } from './job.ts';

/**
 * Puts a request under review (ERR-8): its reservation stays, and its Idempotency-Key is neither free nor replayed,
 * until the workspace resolves it. Completed, it owes what its model makes of it, and a repeat of its key gets the
 * answer that was lost; failed, its key is free.
 */
export function reviewJob(service: Service, { order, exchange, entry, claim }: Job): void {
  const { passage, identity } = exchange;
  const { ledger, idempotency } = service;
  const { requestId } = identity;
  const complete = (): ReturnType<typeof completeOrder> => completeOrder(service, order, identity);
  // Nothing of the connection is kept: it may end long before.
  const completion = complete();
  const resolved = (resolution: Resolution): void => {
    if (resolution === 'failed') idempotency.abandon(claim);
    else idempotency.settle(claim, answerWith(service, order, requestId, complete()));
    tellLedger(service, passage, entry);
  };
  ledger.review(entry, cost(order, completion.tokens), resolved, workOf(completion));
  idempotency.suspend(claim);
  tellLedger(service, passage, entry);
}
