import { CLAUSES, type ClauseId, clauseIds } from '../../../fixtures/clauses/clauses.ts';
import type { Check } from '../model/check.ts';
import type { Invariant } from '../model/invariant.ts';
import { decidedDuties } from '../model/ruling.ts';
import type { Stimulus } from '../model/stimulus.ts';
import { lackingKey, UNDECIDED_DUTY } from '../summary/clause-results.ts';
import type { PlannedStimulus, PlanOptions } from './planned-stimuli.ts';

/** Whether something is exercised; `reason`: why not, or why only in part. */
interface Forecast {
  readonly exercised: boolean;
  readonly reason: string;
}

export interface ClauseForecast extends Forecast {
  readonly id: ClauseId;
}

/** Which clauses a run would exercise. */
export function forecastClauses(
  options: PlanOptions,
  planned: readonly PlannedStimulus[],
): readonly ClauseForecast[] {
  const forecasts = new Map(planned.map((each) => [each.stimulus, forecastOf(each, options)]));
  return clauseIds().map((id) => ({ id, ...clauseForecast(id, forecasts, options) }));
}

function forecastOf({ costs, reason }: PlannedStimulus, { withholds }: PlanOptions): Forecast {
  if (reason !== undefined) return { exercised: false, reason };
  const isHalf = withholds !== undefined && costs.some(({ refused = 0 }) => refused > 0);
  return { exercised: true, reason: isHalf ? 'violations are found, but a refusal alone is no pass' : '' };
}

type Forecasts = ReadonlyMap<Stimulus, Forecast>;

function clauseForecast(id: ClauseId, forecasts: Forecasts, options: PlanOptions): Forecast {
  const { duties, notYet } = CLAUSES[id];
  const own = options.checks.filter(({ clauses }) => clauses.includes(id));
  const { selected } = options;
  const passing = options.invariants.filter(
    (each) => each.clauses.includes(id) && (selected?.has(each.id) ?? true),
  );
  const whole = best(own, passing, forecasts) ?? { exercised: false, reason: notYet ?? NO_CHECK };
  const lacking = whole.exercised ? lackingKey(id, options.keys) : undefined;
  if (lacking !== undefined) return { exercised: false, reason: lacking };
  if (duties === undefined) return whole;
  const parts = duties.map((duty) => {
    const decides = ({ decides: decided }: Pick<Check | Invariant, 'decides'>): boolean =>
      decided !== undefined && [decidedDuties(decided)].flat().includes(duty);
    const part = best(own.filter(decides), passing.filter(decides), forecasts);
    return { duty, exercised: false, reason: UNDECIDED_DUTY, ...part };
  });
  return inParts(parts);
}

const NO_CHECK = 'no selected check covers it';

/** The best prospect of its checks. Where nothing but invariants decides, every exchange is judged. */
function best(
  own: readonly Check[],
  passing: readonly Invariant[],
  forecasts: Forecasts,
): Forecast | undefined {
  const all = own.flatMap(({ given }) => forecasts.get(given) ?? []);
  if (own.length === 0 && passing.length > 0) return { exercised: true, reason: '' };
  const [first] = all;
  if (first === undefined) return undefined;
  const reasons = new Set(all.map(({ reason }) => reason));
  return all.find(({ exercised }) => exercised) ?? { exercised: false, reason: [...reasons].join('; or ') };
}

/** A clause of which some duties are exercised is exercised in part. */
function inParts(parts: readonly (Forecast & { readonly duty: string })[]): Forecast {
  const missing = parts.filter(({ exercised }) => !exercised);
  const reason = parts.find((each) => each.reason !== '')?.reason ?? '';
  if (missing.length === 0 || missing.length === parts.length)
    return { exercised: missing.length === 0, reason };
  const unseen = missing.map((each) => `without: ${each.duty} (${each.reason})`);
  return { exercised: true, reason: unseen.join('; ') };
}
