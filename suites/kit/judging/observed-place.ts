import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import type { OpenPointName } from '../../../fixtures/clauses/open-points.ts';
import type { Profile } from '../model/profile.ts';
import type { Observation } from '../model/ruling.ts';

/**
 * What is observed of a place, a name or a code that a reader may not have found: nothing, unless the profile
 * pins the point. That there is none is then `null`, which shows that the pin no longer holds.
 */
export function observedPlace(
  point: OpenPointName,
  found: JsonValue | undefined,
  { pins }: Profile,
): readonly Observation[] {
  if (found !== undefined) return [{ point, value: found }];
  return pins?.[point] === undefined ? [] : [{ point, value: null }];
}
