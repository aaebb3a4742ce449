import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Found } from '../json.ts';
import { normalizeName } from '../names.ts';
import {
  type ErrorMember,
  isCodeOrId,
  likeliest,
  membersWithin,
  LOOSE_REQUEST_ID_NAMES,
  NEAR_REQUEST_ID_NAMES,
  REQUEST_ID_NAMES,
  SURE_REQUEST_ID_NAMES,
  ranked,
} from './error-members.ts';

const ID = ranked('id');

/** Finds the request ID in an error object, beside it, or deeper. */
export function findRequestId(near: readonly ErrorMember[]): Found | undefined {
  const within = membersWithin(near);
  const sure = near.filter(({ plain }) => SURE_REQUEST_ID_NAMES.has(plain));
  const ofRequest = [...near, ...within].filter(({ plain }) => plain === 'request' || plain === 'trace');
  const called = near.filter(({ plain }) => plain === 'request');
  return (
    likeliest(sure, REQUEST_ID_NAMES, isCodeOrId) ??
    likeliest(membersWithin(called, 1), ID, isCodeOrId) ??
    likeliest(near, REQUEST_ID_NAMES, isCodeOrId) ??
    likeliest(within, REQUEST_ID_NAMES, isCodeOrId) ??
    likeliest(membersWithin(ofRequest), ID, isCodeOrId) ??
    likeliest(near, NEAR_REQUEST_ID_NAMES, looksLikeId) ??
    likeliest(near, REQUEST_ID_NAMES, () => true)
  );
}

/** A member with an ambiguous name, provided that no other member can be the request ID. */
export function looseRequestId(
  near: readonly ErrorMember[],
  unknownMembers: readonly string[],
): Found | undefined {
  const loose = near.filter(({ plain }) => LOOSE_REQUEST_ID_NAMES.has(plain));
  const places = new Set(loose.map(({ pointer }) => pointer));
  if (unknownMembers.some((pointer) => !places.has(pointer))) return undefined;
  return likeliest(loose, LOOSE_REQUEST_ID_NAMES, isCodeOrId);
}

/** Where else the request ID may be, unless the name of the one found is unambiguous. */
export function otherRequestIdCandidates(
  near: readonly ErrorMember[],
  unknownMembers: readonly string[],
  found: Found | undefined,
): readonly string[] {
  const name = normalizeName(found?.pointer.split('/').at(-1) ?? '');
  if (found === undefined || SURE_REQUEST_ID_NAMES.has(name)) return [];
  const others = [...near, ...membersWithin(near)].filter(
    ({ plain, value }) => isCodeOrId(value) && MAY_BE_ID.some((names) => names.has(plain)),
  );
  const places = new Set([...unknownMembers, ...others.map(({ pointer }) => pointer)]);
  return [...places].filter((pointer) => pointer !== found.pointer);
}

const MAY_BE_ID = [REQUEST_ID_NAMES, NEAR_REQUEST_ID_NAMES, LOOSE_REQUEST_ID_NAMES];

/** `request` may also hold the method and the path. */
function looksLikeId(value: JsonValue): boolean {
  return isCodeOrId(value) && !/\s|^\/|:\/\//.test(String(value));
}
