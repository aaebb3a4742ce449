import type { Ledger } from '../workspace/ledger.ts';
import type { Breach } from './breach.ts';

/** Keeps its books right but for these entries. */
export function misbooks(wrong: (ledger: Ledger) => Partial<Ledger>): Breach {
  return { books: (ledger) => ({ ...rightly(ledger), ...wrong(ledger) }) };
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
