import type { Exchange } from '../http/exchange.ts';
import type { Passage } from '../faults/passage.ts';
import type { Claim } from '../chat/idempotency-store.ts';
import type { Order } from '../chat/order.ts';
import type { Service } from '../service.ts';
import type { LedgerEntry } from './ledger.ts';

/** A request that was admitted, and what must be given back should it come to nothing. */
export interface Job {
  readonly exchange: Exchange;
  readonly order: Order;
  readonly claim: Claim;
  readonly entry: LedgerEntry;
  /** Whether its model goes on only to fail: nobody is there to be told. */
  readonly fails: boolean;
}

/** Releases what was reserved and lets its Idempotency-Key go, unless it has ended before. */
export function failJob(service: Service, { exchange, entry, claim }: Job): void {
  if (entry.state !== 'running') return;
  service.ledger.fail(entry);
  service.idempotency.abandon(claim);
  tellLedger(service, exchange.passage, entry);
}

/** Tells the journal, if one is kept, what the ledger has just written. */
export function tellLedger({ ledger }: Service, passage: Passage | null, entry: LedgerEntry): void {
  passage?.booked(() => ledger.latest(entry));
}
