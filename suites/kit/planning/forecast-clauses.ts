import { CLAUSES, type ClauseId, clauseIds } from '../../../fixtures/clauses/clauses.ts';
import type { Check } from '../model/check.ts';
import { decidedDuties } from '../model/duty.ts';
import type { Invariant } from '../model/invariant.ts';
import type { Stimulus } from '../model/stimulus.ts';
import { lackingKey, UNDECIDED_DUTY } from '../summary/clause-results.ts';
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
  { checks, invariants, selected, keys }: PlanOptions,
): Forecast {
  const { duties, notYet } = CLAUSES[id];
  const own = checks.filter(({ clauses }) => clauses.includes(id));
  const passing = invariants.filter((each) => each.clauses.includes(id) && (selected?.has(each.id) ?? true));
  const all = bestOf(own, passing, forecasts) ?? { exercised: 'no', reason: notYet ?? NO_CHECK };
  const lacking = all.exercised === 'no' ? undefined : lackingKey(id, keys);
  if (lacking !== undefined) return { exercised: 'no', reason: lacking };
  return duties === undefined
    ? all
    : inParts(
        duties.map((duty) => {
          const decide = decides(duty);
          return { duty, ...(bestOf(own.filter(decide), passing.filter(decide), forecasts) ?? UNDECIDED) };
        }),
      );
}

const NO_CHECK = 'no selected check covers it';
const UNDECIDED: Forecast = { exercised: 'no', reason: UNDECIDED_DUTY };

function decides(duty: string): (of: Pick<Check | Invariant, 'decides'>) => boolean {
  return (of) => of.decides !== undefined && [decidedDuties(of.decides)].flat().includes(duty);
}

/** Where nothing but invariants decides, every exchange is judged, even of the preflight. */
function bestOf(
  own: readonly Check[],
  passing: readonly Invariant[],
  forecasts: ReadonlyMap<Stimulus, Forecast>,
): Forecast | undefined {
  const all = own.flatMap(({ given }) => forecasts.get(given) ?? []);
  if (own.length === 0 && passing.length > 0) return { exercised: 'yes', reason: '' };
  return firstIn(BEST_FIRST, all);
}

/** A clause of which some duties are exercised is exercised in part. */
function inParts(parts: readonly (Forecast & { readonly duty: string })[]): Forecast {
  const best = firstIn(BEST_FIRST, parts);
  const worst = firstIn(BEST_FIRST.toReversed(), parts);
  if (best === undefined || worst === undefined) return UNDECIDED;
  if (best.exercised === worst.exercised || best.exercised !== 'yes')
    return { exercised: best.exercised, reason: parts.find(({ reason }) => reason !== '')?.reason ?? '' };
  const missing = parts.filter(({ exercised }) => exercised !== 'yes');
  return {
    exercised: 'yes',
    reason: missing.map(({ duty, reason }) => `without: ${duty} (${reason})`).join('; '),
  };
}

function firstIn<T extends Forecast>(
  order: readonly Forecast['exercised'][],
  all: readonly T[],
): T | undefined {
  return order.flatMap((one) => all.filter(({ exercised }) => exercised === one)).at(0);
}
