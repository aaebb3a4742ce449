import type { JsonObject, JsonValue } from '../../../../fixtures/chats/chat.ts';
import { isJsonObject, childPointer, type Found } from '../json.ts';
import { normalizeName, words } from '../names.ts';

/** A member of an error object, or of an object beside it. */
export interface ErrorMember extends Found {
  readonly plain: string;
}

export function membersOf(object: JsonObject, parent: string): ErrorMember[] {
  return Object.entries(object).map(([name, value]) => ({
    plain: normalizeName(name),
    pointer: childPointer(parent, name),
    value,
  }));
}

const MAX_DEPTH = 3;

/** The members of the objects, and lists of objects, inside these members, nearest first. */
export function membersWithin(members: readonly ErrorMember[], deep = MAX_DEPTH): ErrorMember[] {
  if (deep === 0 || members.length === 0) return [];
  const inner = members.flatMap(({ value, pointer }) => objectsIn(value, pointer));
  const next = inner.flatMap(({ value, pointer }) => (isJsonObject(value) ? membersOf(value, pointer) : []));
  return [...next, ...membersWithin(next, deep - 1)];
}

function objectsIn(value: JsonValue, pointer: string): Found[] {
  if (!Array.isArray(value)) return [{ pointer, value }];
  return value.map((element: JsonValue, index) => ({
    pointer: childPointer(pointer, index),
    value: element,
  }));
}

/** The member with the likeliest name among those whose value `accepts` allows. */
export function likeliest(
  members: readonly ErrorMember[],
  ranks: Ranks,
  accepts: (value: JsonValue) => boolean,
): Found | undefined {
  let best: ErrorMember | undefined;
  let lowest = Infinity;
  for (const member of members) {
    const rank = ranks.get(member.plain) ?? Infinity;
    if (rank < lowest && accepts(member.value)) [best, lowest] = [member, rank];
  }
  return best && { pointer: best.pointer, value: best.value };
}

/** Whether a value can be a code or an ID: a non-empty text, or a number. */
export function isCodeOrId(value: JsonValue): value is string | number {
  return typeof value === 'number' || isFilled(value);
}

/** Whether a value can be a message: a non-empty text, or a list of such texts. */
export function isMessage(value: JsonValue): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isFilled) : isFilled(value);
}

function isFilled(value: JsonValue): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Normalized names, each with its rank: the likeliest has the lowest. */
export type Ranks = ReadonlyMap<string, number>;

export function ranked(names: string): Ranks {
  return new Map(words(names).map((name, rank) => [name, rank]));
}

/** Names of the three items of an error, likeliest first. */
export const CODE_NAMES: Ranks = ranked(
  'code errorcode errcode codename type errortype kind slug key reason name error title statuscode ' +
    'status errno',
);

export const MESSAGE_NAMES: Ranks = ranked(
  'message msg errormessage errormsg errmsg description errordescription detail details explanation ' +
    'text reason title error',
);

export const REQUEST_ID_NAMES: Ranks = ranked(
  'requestid xrequestid reqid requestuuid requestref requestreference traceid correlationid ' +
    'trackingid errorid incidentid eventid logid operationid invocationid transactionid activityid ' +
    'rayid rid cid',
);

/** The unambiguous ones. */
export const SURE_REQUEST_ID_NAMES: ReadonlySet<string> = new Set(
  words('requestid xrequestid reqid requestuuid requestref requestreference'),
);

/** Names of the request ID in the error object itself or at the root of the body, but not deeper. */
export const NEAR_REQUEST_ID_NAMES: Ranks = ranked('request trace uuid guid');

/** Ambiguous names, which count only where no other member can be the request ID. */
export const LOOSE_REQUEST_ID_NAMES: Ranks = ranked('id ref reference instance');

/** Names of members that are known to be none of the three items. */
export const OTHER_NAMES: ReadonlySet<string> = new Set(
  words(
    'param parameter field property pointer path location loc line column position docurl docsurl ' +
      'documentation documentationurl helpurl help hint link href url timestamp time date createdat ' +
      'created retryafter severity level method object domain service version apiversion model stack ' +
      'target scope limit input given received expected actual value values allowed success ok',
  ),
);

/** Members named for the error object they hold. */
export const ERROR_WRAPPERS: ReadonlySet<string> = new Set(
  words('error errors err fault failure exception problem'),
);

/** Members that may hold an error object, among other things. */
export const LOOSE_WRAPPERS: ReadonlySet<string> = new Set(
  words('detail details data result response body reason'),
);
