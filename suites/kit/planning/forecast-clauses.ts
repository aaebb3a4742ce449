import { CLAUSES, type ClauseId, clauseIds } from '../../../fixtures/clauses/clauses.ts';
import type { Stimulus } from '../model/stimulus.ts';
import { lackingKey, unselectedPart } from '../summary/clause-results.ts';
import type { StimulusPlan } from './planned-draws.ts';
import type { PlanOptions, ClauseForecast } from './spending-plan.ts';

type Forecast = Omit<ClauseForecast, 'id'>;

/** A clause has the best prospect of its checks. */
const BEST_FIRST = ['yes', 'depends', 'no'] as const;

/** Which clauses a run would exercise within its caps; `certain` holds how many draws of a stimulus fit them. */
export function forecastClauses(
  options: PlanOptions,
  prospects: ReadonlyMap<Stimulus, StimulusPlan>,
  certain: ReadonlyMap<Stimulus, number>,
): readonly ClauseForecast[] {
  const forecasts = new Map(
    [...prospects].map(([stimulus, prospect]) => [
      stimulus,
      forecastOf(prospect, certain.get(stimulus) ?? 0, options),
    ]),
  );
  return clauseIds().map((id) => ({ id, ...clauseForecast(id, forecasts, options) }));
}

function forecastOf(prospect: StimulusPlan, certain: number, { withholds }: PlanOptions): Forecast {
  if (prospect.kind === 'not-sent') return { exercised: 'no', reason: prospect.reason };
  if (certain === 0) return { exercised: 'no', reason: 'the caps leave no room for it' };
  const { draws, unless } = prospect;
  if (unless !== undefined) return { exercised: 'depends', reason: `on the target: ${unless}` };
  const all = draws.length;
  if (certain < all)
    return { exercised: 'yes', reason: `the caps are certain to allow ${certain} of ${all} draws` };
  const isHalf = withholds !== undefined && draws.some(({ refused }) => refused > 0);
  return { exercised: 'yes', reason: isHalf ? 'violations are found, but a refusal alone is no pass' : '' };
}

function clauseForecast(
  id: ClauseId,
  forecasts: ReadonlyMap<Stimulus, Forecast>,
  { checks, invariants, keys }: PlanOptions,
): Forecast {
  const own = checks
    .filter(({ clauses }) => clauses.includes(id))
    .flatMap(({ given }) => forecasts.get(given) ?? []);
  // An invariant judges every exchange, even of the preflight.
  const inPassing = invariants.some(({ clauses }) => clauses.includes(id));
  const all = own.length === 0 && inPassing ? [{ exercised: 'yes', reason: '' } as const] : own;
  const best = BEST_FIRST.flatMap((one) => all.filter(({ exercised }) => exercised === one)).at(0);
  if (best === undefined)
    return { exercised: 'no', reason: CLAUSES[id].notYet ?? 'no selected check covers it' };
  if (best.exercised === 'no') return best;
  const key = lackingKey(id, keys);
  if (key !== undefined) return { exercised: 'no', reason: key };
  const parts = (CLAUSES[id].essentialChecks ?? []).map((essential) => {
    const part = checks.find((check) => check.id === essential);
    return (part && forecasts.get(part.given)) ?? unselected(essential);
  });
  return worstOf([best, ...parts]) ?? best;
}

function unselected(checkId: string): Forecast {
  return { exercised: 'no', reason: unselectedPart(checkId) };
}

function worstOf(forecasts: readonly Forecast[]): Forecast | undefined {
  return BEST_FIRST.toReversed().flatMap((one) => forecasts.filter(({ exercised }) => exercised === one))[0];
}
