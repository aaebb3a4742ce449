import type { ReceivedRequest } from '../protocol/request.ts';
import type { Ledger, LedgerEntry } from '../workspace/ledger.ts';
import type { DefectHooks } from '../exchange/defect-hooks.ts';
import { perService } from './per-service.ts';

/** Keeps its books right but for these entries. */
export function misbooks(wrong: (ledger: Ledger) => Partial<Ledger>): DefectHooks {
  return { wrapLedger: (ledger) => ({ ...rightly(ledger), ...wrong(ledger) }) };
}

/** Keeps its books wrong for such requests only, from when they are heard of until they end. */
export function misbooksSome(
  isMeant: (request: ReceivedRequest) => boolean,
  wrong: (ledger: Ledger) => Partial<Pick<Ledger, 'succeed' | 'review'>>,
): DefectHooks {
  const meant = perService(() => new Set<string>());
  return {
    onRequest: (exchange, serve, { ledger }) => {
      if (isMeant(exchange.request)) meant(ledger).add(exchange.identity.requestId);
      serve(exchange);
    },
    wrapLedger: (ledger) => {
      const wrongly = { ...rightly(ledger), ...wrong(ledger) };
      const booksOf = ({ requestId }: LedgerEntry): Ledger =>
        meant(wrapped).delete(requestId) ? wrongly : ledger;
      const wrapped: Ledger = {
        ...rightly(ledger),
        succeed: (entry, debit, work) => booksOf(entry).succeed(entry, debit, work),
        review: (entry, owed, resolved, work) => booksOf(entry).review(entry, owed, resolved, work),
      };
      return wrapped;
    },
  };
}

function rightly(ledger: Ledger): Ledger {
  return {
    reserve: (request) => ledger.reserve(request),
    succeed: (entry, debit, work) => ledger.succeed(entry, debit, work),
    fail: (entry) => ledger.fail(entry),
    review: (entry, owed, resolved, work) => ledger.review(entry, owed, resolved, work),
    resolve: (requestId, resolution) => ledger.resolve(requestId, resolution),
    account: (workspace) => ledger.account(workspace),
    find: (requestId) => ledger.find(requestId),
    entries: () => ledger.entries(),
    history: (requestId) => ledger.history(requestId),
    latest: (entry) => ledger.latest(entry),
    invariants: () => ledger.invariants(),
  };
}
