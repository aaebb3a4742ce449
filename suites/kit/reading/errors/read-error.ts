import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { OpenPointName } from '../../../../fixtures/clauses/open-points.ts';
import type { Answer } from '../../model/exchange.ts';
import type { TargetInfo } from '../../model/target.ts';
import { readOnce } from '../answers.ts';
import { isJsonObject, type Found, valueAt, readJson } from '../json.ts';
import { pinnedText } from '../pins.ts';
import {
  type ErrorMember,
  isMessage,
  isCodeOrId,
  likeliest,
  membersOf,
  membersWithin,
  CODE_NAMES,
  MESSAGE_NAMES,
  OTHER_NAMES,
  type Ranks,
  ranked,
} from './error-members.ts';
import { type ErrorObject, findErrorObject } from './find-error-object.ts';
import { findRequestId, looseRequestId, otherRequestIdCandidates } from './find-request-id.ts';

/** An item and its place; or that it is certainly absent; or that it may be there under an unknown name. */
export type ItemReading = Found | 'absent' | 'unrecognised';

/** The items of an error object (ERR-1). */
export interface ErrorReading {
  /** JSON pointer of the error object. */
  readonly pointer: string;
  readonly code: ItemReading;
  readonly message: ItemReading;
  readonly requestId: ItemReading;
  /** Other members that may be the request ID; empty where its name is unambiguous. */
  readonly otherCandidates: readonly string[];
  /** Pointers of members with unknown names, one of which an `unrecognised` item may be. */
  readonly unknownMembers: readonly string[];
}

const CODE = ranked('code');
const MESSAGE = ranked('message');
const DEEP_CODE = ranked('code errorcode errcode');
const DEEP_MESSAGE = ranked('message msg errormessage errormsg');

/**
 * Reads the error object of a refusal: the items where the profile pins them, or else under any plausible name.
 * Undefined when the body is not JSON or holds no object. Read once per answer.
 */
export const readError: (answer: Answer, info: TargetInfo) => ErrorReading | undefined = readOnce(read);

function read(answer: Answer, info: Pick<TargetInfo, 'profile'>): ErrorReading | undefined {
  const body = readJson(answer);
  if (body.kind === 'no-json') return undefined;
  const root = body.value;
  const found = findErrorObject(root);
  if (found === undefined) return undefined;

  const near = [...membersOf(found.object, found.pointer), ...beside(root, found)];
  const own = near.filter(({ pointer }) => pointer.startsWith(`${found.pointer}/`));
  const message =
    pinned(root, info, 'error.message', isMessage) ??
    named(own, MESSAGE_NAMES, MESSAGE, DEEP_MESSAGE, isMessage);
  const unspoken = without(own, message);
  const code =
    pinned(root, info, 'error.code', isCodeOrId) ?? named(unspoken, CODE_NAMES, CODE, DEEP_CODE, isCodeOrId);
  const free = without(without(near, message), code);
  const unknown = unknownMembersIn(free).filter(
    (place) => place !== message?.pointer && place !== code?.pointer,
  );
  const pinnedId = pinned(root, info, 'error.request_id', isCodeOrId);
  const requestId = pinnedId ?? findRequestId(free) ?? looseRequestId(free, unknown);

  const unknownMembers = unknown.filter((pointer) => pointer !== requestId?.pointer);
  const unfound: ItemReading = unknownMembers.length > 0 ? 'unrecognised' : 'absent';
  return {
    pointer: found.pointer,
    code: code ?? unfound,
    message: message ?? unfound,
    requestId: requestId ?? unfound,
    otherCandidates: pinnedId ? [] : otherRequestIdCandidates(free, unknownMembers, requestId),
    unknownMembers: unknownMembers,
  };
}

/** Whether a body is an error object with all three items, which only the service itself writes (ERR-1). */
export function isWholeError(answer: Answer, info: Pick<TargetInfo, 'profile'>): boolean {
  const error = read(answer, info);
  return [error?.code, error?.message, error?.requestId].every((item) => typeof item === 'object');
}

function without(members: readonly ErrorMember[], item: Found | undefined): readonly ErrorMember[] {
  return members.filter(({ pointer }) => pointer !== item?.pointer);
}

/** The value at the pinned place, if it can be the item. */
function pinned(
  root: JsonValue,
  info: Pick<TargetInfo, 'profile'>,
  point: OpenPointName,
  accepts: (value: JsonValue) => boolean,
): Found | undefined {
  const pointer = pinnedText(info.profile, point);
  const value = pointer === undefined ? undefined : valueAt(root, pointer);
  return pointer !== undefined && value !== undefined && accepts(value) ? { pointer, value } : undefined;
}

/** The likeliest member with a suitable value, a deeper one with an unambiguous name, or one with the usual name. */
function named(
  members: readonly ErrorMember[],
  names: Ranks,
  veryName: Ranks,
  deepNames: Ranks,
  accepts: (value: JsonValue) => boolean,
): Found | undefined {
  return (
    likeliest(members, names, accepts) ??
    likeliest(membersWithin(members), deepNames, accepts) ??
    likeliest(members, veryName, () => true)
  );
}

/** The members at the root of the body, when the error object lies deeper. */
function beside(root: JsonValue, error: ErrorObject): ErrorMember[] {
  return error.pointer !== '' && isJsonObject(root) ? membersOf(root, '') : [];
}

/** Members with unknown names that may be an item, in the error object, beside it, or deeper. */
function unknownMembersIn(members: readonly ErrorMember[]): string[] {
  const unknown = members.filter(({ plain }) => !KNOWN.has(plain));
  const deeper = membersWithin(unknown).filter(({ plain }) => !KNOWN.has(plain));
  return [...unknown, ...deeper].filter(({ value }) => isCodeOrId(value)).map(({ pointer }) => pointer);
}

const KNOWN: ReadonlySet<string> = new Set([...CODE_NAMES.keys(), ...MESSAGE_NAMES.keys(), ...OTHER_NAMES]);
