import type { Exchange } from '../exchange.ts';
import type { Invariant } from '../invariant.ts';
import type { Ruling } from '../ruling.ts';
import type { Survey } from '../survey.ts';
import { asError } from './as-error.ts';
import { Tally } from './tally.ts';

/**
 * Puts every answered exchange of a run before every invariant, in the order of their IDs, so that an
 * invariant that remembers says the same whatever the order of arrival was. What came in place of an answer because the
 * run armed its loss, no service has said.
 */
export function judgeInvariants(
  invariants: readonly Invariant[],
  record: readonly Exchange[],
  survey: Survey,
): ReadonlyMap<Invariant, Tally> {
  const answered = record
    .filter(({ outcome, armed }) => outcome.kind === 'answered' && armed !== 'loss')
    .toSorted(byId);
  return new Map(invariants.map((invariant) => [invariant, tallyOf(invariant, answered, survey)]));
}

function tallyOf(invariant: Invariant, answered: readonly Exchange[], survey: Survey): Tally {
  const tally = new Tally();
  const judge = invariant.judge(survey);
  for (const exchange of answered) {
    const ruling = guarded(judge, exchange);
    if (ruling !== undefined) tally.add(ruling, { exchanges: [exchange] });
  }
  // Nothing shrinks here; the shortest request that fails is the nearest to the simplest one.
  tally.failures.sort((a, b) => size(a.trial.exchanges[0]) - size(b.trial.exchanges[0]));
  return tally;
}

function guarded(
  judge: (exchange: Exchange) => Ruling | undefined,
  exchange: Exchange,
): Ruling | Error | undefined {
  try {
    return judge(exchange);
  } catch (error) {
    return asError(error);
  }
}

function size(exchange: Exchange | undefined): number {
  return exchange?.request.body?.length ?? 0;
}

function byId(a: Exchange, b: Exchange): number {
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
