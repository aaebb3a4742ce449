import { isDeepStrictEqual } from 'node:util';
import { openPoints } from '../../../fixtures/clauses/open-points.ts';
import type { Profile } from '../model/profile.ts';
import type { Observation } from '../model/ruling.ts';
import type { OpenPointResult } from '../model/summary.ts';

/** What was seen at each open point, in the order of the specification. */
export function openPointResults(observations: readonly Observation[], profile: Profile): OpenPointResult[] {
  const byPoint = Map.groupBy(observations, ({ point }) => point);
  return openPoints().flatMap(({ name: point, clause }) => {
    const seen = distinctValues(byPoint.get(point) ?? []);
    if (seen.length === 0) return [];
    const pin = profile.pins?.[point];
    return {
      clause,
      point,
      ...(seen.length === 1 ? { observed: seen[0] } : { observed: seen, varied: true as const }),
      ...(pin !== undefined && { pinned: pin }),
    };
  });
}

function distinctValues(observations: readonly Observation[]): unknown[] {
  const values: unknown[] = [];
  for (const { value } of observations) {
    if (!values.some((known) => isDeepStrictEqual(known, value))) values.push(value);
  }
  return values;
}
