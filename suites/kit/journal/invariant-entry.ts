import type { InvariantEntry } from './entry.ts';
import type { ExchangeRuling } from '../running/judge-invariants.ts';
import { recordRuling } from './recorded-ruling.ts';

/** What an invariant made of a run, as a line of a journal. */
export function invariantEntry(id: string, rulings: readonly ExchangeRuling[]): InvariantEntry {
  const others = rulings.filter(([, ruling]) => ruling instanceof Error || ruling.kind !== 'holds');
  return {
    type: 'invariant',
    id,
    held: rulings.length - others.length,
    rulings: others.map(([exchange, ruling]) => [exchange.id, recordRuling(ruling)]),
  };
}
