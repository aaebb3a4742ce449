import { type ErrorMember, isTelling, likeliest, membersWithin } from './error-members.ts';
import { LOOSE_REQUEST_ID_NAMES, NEAR_REQUEST_ID_NAMES, REQUEST_ID_NAMES, ranked } from './error-names.ts';
import type { Found } from './json-pointer.ts';

const ID = ranked('id');

/** The request ID among the members of an error object and those beside it, or one level deeper. */
export function findRequestId(near: readonly ErrorMember[]): Found | undefined {
  const ofRequest = near.filter(({ plain }) => plain === 'request' || plain === 'trace');
  return (
    likeliest(near, REQUEST_ID_NAMES, isTelling) ??
    likeliest(membersWithin(near), REQUEST_ID_NAMES, isTelling) ??
    likeliest(membersWithin(ofRequest), ID, isTelling) ??
    likeliest(near, NEAR_REQUEST_ID_NAMES, isTelling) ??
    likeliest(near, REQUEST_ID_NAMES, () => true)
  );
}

/** A member of a name that may as well mean something else, provided that no other one could be the request ID. */
export function looseRequestId(
  near: readonly ErrorMember[],
  strangers: readonly string[],
): Found | undefined {
  const loose = near.filter(({ plain }) => LOOSE_REQUEST_ID_NAMES.has(plain));
  const places = new Set(loose.map(({ pointer }) => pointer));
  if (strangers.some((pointer) => !places.has(pointer))) return undefined;
  return likeliest(loose, LOOSE_REQUEST_ID_NAMES, isTelling);
}
