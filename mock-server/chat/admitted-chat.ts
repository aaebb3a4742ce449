import type { Exchange } from '../exchange/exchange.ts';
import type { RequestFaults } from '../exchange/request-faults.ts';
import type { Claim } from './idempotency-store.ts';
import { type AcceptedChat, cost } from './accept-chat.ts';
import type { Service } from '../sandboxes/service.ts';
import type { LedgerEntry, Resolution } from '../workspace/ledger.ts';
import type { Caller } from '../world/caller.ts';
import { ServiceError } from '../protocol/service-error.ts';
import { answerWith, completeChat, workOf } from './completion.ts';

/** A request that was admitted, and what must be given back should it come to nothing. */
export interface AdmittedChat {
  readonly exchange: Exchange;
  readonly chat: AcceptedChat;
  readonly claim: Claim;
  readonly entry: LedgerEntry;
  /** Whether its model goes on only to fail: nobody is there to be told. */
  readonly fails: boolean;
}

/** Releases what was reserved and lets its Idempotency-Key go, unless it has ended before. */
export function failChat(service: Service, { exchange, entry, claim }: AdmittedChat): void {
  if (entry.state !== 'running') return;
  service.ledger.fail(entry);
  service.idempotency.abandon(claim);
  recordLedgerChange(service, exchange.faults, entry);
}

/** Tells the journal, if one is kept, what the ledger has just written. */
export function recordLedgerChange(
  { ledger }: Service,
  faults: RequestFaults | null,
  entry: LedgerEntry,
): void {
  faults?.recordLedgerChange(() => ledger.latest(entry));
}

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

/**
 * Puts a request under review (ERR-8): its reservation stays, and its Idempotency-Key is neither free nor replayed,
 * until the workspace resolves it. Completed, it owes what its model makes of it, and a repeat of its key gets the
 * answer that was lost; failed, its key is free.
 */
export function reviewChat(service: Service, { chat, exchange, entry, claim }: AdmittedChat): void {
  const { faults, identity } = exchange;
  const { ledger, idempotency } = service;
  const { requestId } = identity;
  const complete = (): ReturnType<typeof completeChat> => completeChat(service, chat, identity);
  // Nothing of the connection is kept: it may end long before.
  const completion = complete();
  const resolved = (resolution: Resolution): void => {
    if (resolution === 'failed') idempotency.abandon(claim);
    else idempotency.settle(claim, answerWith(service, chat, requestId, complete()));
    recordLedgerChange(service, faults, entry);
  };
  ledger.review(entry, cost(chat, completion.tokens), resolved, workOf(completion));
  idempotency.suspend(claim);
  recordLedgerChange(service, faults, entry);
}
