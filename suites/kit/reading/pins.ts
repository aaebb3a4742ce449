import type { OpenPointName } from '../../../fixtures/clauses/open-points.ts';
import type { Profile } from '../model/target.ts';

/** What a profile pins an open point to, when that is text: a pointer, a name. */
export function pinnedText(profile: Profile, point: OpenPointName): string | undefined {
  const pinned = profile.pins?.[point];
  return typeof pinned === 'string' ? pinned : undefined;
}

/**
 * Looks where the profile pins a point; where nothing usable is there, as if it pinned none. What was stated is
 * then judged by what is really there, and where that is shows how far the pin is off.
 */
export function findPinnedFirst<R>(profile: Profile, point: OpenPointName, find: (profile: Profile) => R): R {
  const found = find(profile);
  if (typeof found === 'object' || pinnedText(profile, point) === undefined) return found;
  const { [point]: _, ...pins } = profile.pins ?? {};
  return find({ ...profile, pins });
}
