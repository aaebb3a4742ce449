import type { OpenPointName } from '../../../fixtures/open-points.ts';
import type { Profile } from '../profile.ts';

/** What a profile pins an open point to, when that is text: a pointer, a name. */
export function pinnedText(profile: Profile, point: OpenPointName): string | undefined {
  const pinned = profile.pins?.[point];
  return typeof pinned === 'string' ? pinned : undefined;
}
