import type { DefectHooks } from '../../exchange/defect-hooks.ts';
import type { ReceivedRequest } from '../../protocol/answer.ts';
import type { Ledger, LedgerEntry } from '../../workspace/ledger.ts';
import { perService } from './requests.ts';

type WrapLedger = NonNullable<DefectHooks['wrapLedger']>;

/** Replaces some operations of a ledger. */
export function rewriteLedger(rewrite: (ledger: Ledger) => Partial<Ledger>): {
  readonly wrapLedger: WrapLedger;
} {
  return { wrapLedger: (ledger) => ({ ...delegateTo(ledger), ...rewrite(ledger) }) };
}

/** Settles these requests in the wrapped ledger, and the others in the given one. */
export function ledgerAt(
  includes: (request: ReceivedRequest) => boolean,
  wrapLedger: WrapLedger,
): DefectHooks {
  const included = perService(() => new Set<string>());
  return {
    onRequest: (exchange, next, { ledger }) => {
      if (includes(exchange.request)) included(ledger).add(exchange.identity.requestId);
      return next(exchange);
    },
    wrapLedger: (ledger) => {
      const rewritten = wrapLedger(ledger);
      const ledgerOf = ({ requestId }: LedgerEntry): Ledger =>
        included(wrapped).delete(requestId) ? rewritten : ledger;
      const wrapped: Ledger = {
        ...delegateTo(ledger),
        succeed: (entry, debit, work) => ledgerOf(entry).succeed(entry, debit, work),
        review: (entry, owed, resolved, work) => ledgerOf(entry).review(entry, owed, resolved, work),
      };
      return wrapped;
    },
  };
}

function delegateTo(ledger: Ledger): Ledger {
  return {
    reserve: (request) => ledger.reserve(request),
    succeed: (entry, debit, work) => ledger.succeed(entry, debit, work),
    fail: (entry) => ledger.fail(entry),
    review: (entry, owed, resolved, work) => ledger.review(entry, owed, resolved, work),
    resolve: (requestId, resolution) => ledger.resolve(requestId, resolution),
    account: (workspace) => ledger.account(workspace),
    setBalance: (workspace, credits) => ledger.setBalance(workspace, credits),
    find: (requestId) => ledger.find(requestId),
    entries: () => ledger.entries(),
    history: (requestId) => ledger.history(requestId),
    invariants: () => ledger.invariants(),
  };
}
