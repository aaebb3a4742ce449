import type { DefectHooks } from '../../chat/defect-hooks.ts';
import type { ReceivedRequest } from '../../protocol/answer.ts';
import type { Ledger, LedgerEntry } from '../../workspace/ledger.ts';
import { perService } from './requests.ts';

type WrapLedger = NonNullable<DefectHooks['wrapLedger']>;

export function rewriteLedger(rewrite: (ledger: Ledger) => Partial<Ledger>): { wrapLedger: WrapLedger } {
  return { wrapLedger: (ledger) => replacing(ledger, rewrite(ledger)) };
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
      const wrapped = replacing(ledger, {
        succeed: (entry, ...of) => ledgerOf(entry).succeed(entry, ...of),
        review: (entry, ...of) => ledgerOf(entry).review(entry, ...of),
      });
      return wrapped;
    },
  };
}

function replacing(ledger: Ledger, own: Partial<Ledger>): Ledger {
  return new Proxy(ledger, {
    get: (_, name) => Reflect.get(own, name) ?? Reflect.get(ledger, name).bind(ledger),
  });
}
