import type { OpenPointName } from '../../../fixtures/clauses/open-points.ts';
import type { Profile } from '../model/target.ts';

/** The text a profile pins an open point to, such as a pointer or a name. */
export function pinnedText(profile: Profile, point: OpenPointName): string | undefined {
  const pinned = profile.pins?.[point];
  return typeof pinned === 'string' ? pinned : undefined;
}

/**
 * Looks where the profile pins a point and, where nothing usable is there, as if it were not pinned. A stated clause
 * is then judged by what the answer really holds, and the observed place shows that the pin is wrong.
 */
export function findPinnedFirst<R>(profile: Profile, point: OpenPointName, find: (profile: Profile) => R): R {
  const found = find(profile);
  if (typeof found === 'object' || pinnedText(profile, point) === undefined) return found;
  const { [point]: _, ...pins } = profile.pins ?? {};
  return find({ ...profile, pins });
}
