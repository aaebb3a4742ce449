import { isDeepStrictEqual } from 'node:util';
import type { Profile } from '../model/profile.ts';
import type { Failure, TrialObservation } from '../model/tally.ts';

/** An open point at which the target does something else than its profile says. */
export interface Drift extends Failure {
  readonly point: string;
  readonly pinned: unknown;
}

/** Every observation that is not what the profile pins its point to. */
export function driftsOf(sightings: readonly TrialObservation[], profile: Profile): readonly Drift[] {
  return sightings.flatMap(({ point, value, trial }) => {
    if (!isPinned(point, profile)) return [];
    const pinned = profile.pins?.[point];
    if (isDeepStrictEqual(pinned, value)) return [];
    const expected = `${JSON.stringify(pinned)}, as the profile pins it`;
    return {
      point,
      pinned,
      trial,
      finding: { code: 'drift', path: point, expected, actual: JSON.stringify(value) },
    };
  });
}

export function isPinned(point: string, { pins }: Profile): boolean {
  return pins !== undefined && Object.hasOwn(pins, point);
}
