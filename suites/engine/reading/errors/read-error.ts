import type { JsonValue } from '../../../../fixtures/chats/chat.ts';
import type { Answer } from '../../model/exchange.ts';
import type { Profile, TargetInfo } from '../../model/target.ts';
import { readOnce } from '../answers.ts';
import { type Found, isJsonObject, readJson } from '../json.ts';
import {
  find,
  type ItemReading,
  membersOf,
  named,
  normalizeName,
  pinnedPointer,
  type Point,
  unknownMembers,
  words,
} from '../locate.ts';

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

/**
 * Reads the error object of a refusal: the items where the profile pins them, or else under any plausible name.
 * Undefined when the body is not JSON or holds no object. Read once per answer.
 */
export const readError: (answer: Answer, info: TargetInfo) => ErrorReading | undefined = readOnce(read);

function read(answer: Answer, { profile }: Pick<TargetInfo, 'profile'>): ErrorReading | undefined {
  const body = readJson(answer);
  const pointer = body.kind === 'json' ? errorObjectIn(body.value) : undefined;
  if (body.kind === 'no-json' || pointer === undefined) return undefined;
  const root = body.value;
  // One member is one item.
  const except: string[] = [];
  const take = (point: Point): Found | undefined => {
    const own = { ...point, except };
    const item = find(root, own, profile) ?? unusable(root, own);
    if (item !== undefined) except.push(item.pointer);
    return item;
  };
  const message = take({ ...ERROR_MESSAGE, in: [pointer] });
  const code = take({ ...ERROR_CODE, in: [pointer] });
  const idPoint = { ...REQUEST_ID, in: [...new Set([pointer, ''])], except };
  const requestId = take(idPoint);
  const unknown = unknownMembers(root, idPoint);
  const unfound = unknown.length > 0 ? 'unrecognised' : 'absent';
  return {
    pointer,
    code: code ?? unfound,
    message: message ?? unfound,
    requestId: requestId ?? unfound,
    otherCandidates:
      requestId === undefined || isSure(requestId, profile)
        ? []
        : [...new Set([...unknown, ...[...named(root, idPoint)].map((other) => other.pointer)])],
    unknownMembers: unknown,
  };
}

/** The code of an error; undefined where none was recognised. */
export function codeOfError(answer: Answer, info: TargetInfo): JsonValue | undefined {
  const code = readError(answer, info)?.code;
  return typeof code === 'object' ? code.value : undefined;
}

/** Whether a body is an error object with all three items, which only the service itself writes (ERR-1). */
export function isWholeError(answer: Answer, info: Pick<TargetInfo, 'profile'>): boolean {
  const error = read(answer, info);
  return [error?.code, error?.message, error?.requestId].every((item) => typeof item === 'object');
}

/** A member with the usual name that holds no such item. */
function unusable(root: JsonValue, point: Point): Found | undefined {
  const accepts = (value: JsonValue): value is JsonValue => !point.accepts(value);
  return named(root, { ...point, names: point.names.slice(0, 1), anywhere: [], accepts }).next().value;
}

/** Whether it is certain that a member is the request ID: by its name, or because it is pinned. */
function isSure({ pointer }: Found, profile: Profile): boolean {
  const name = normalizeName(pointer.slice(pointer.lastIndexOf('/') + 1));
  return pointer === pinnedPointer(profile, 'error.request_id') || SURE_REQUEST_ID_NAMES.includes(name);
}

/** Members named for the error object they hold. */
export const ERROR_WRAPPERS: ReadonlySet<string> = new Set(
  words('error errors err fault failure exception problem'),
);

/** Members that may hold an error object, among other things. */
const LOOSE_WRAPPERS: ReadonlySet<string> = new Set(words('detail details data result response body reason'));

const MOST_LEVELS = 4;

/**
 * The place of the object that says most about the error: the root, or the value of a member with a name such as `error`,
 * `errors` or `detail` (of a list its first element). Undefined when there is no such object.
 */
function errorObjectIn(root: JsonValue): string | undefined {
  const all = candidates({ pointer: '', value: root }, MOST_LEVELS);
  // The first that says all is found without a look at the others.
  const saying = (items: number): string | undefined => all.find((at) => itemsAt(root, at) === items);
  return saying(2) ?? saying(1) ?? all[0];
}

/** How many of code and message have a known name. */
function itemsAt(root: JsonValue, pointer: string): number {
  const own = { in: [pointer], anywhere: [] };
  const message = find(root, { ...ERROR_MESSAGE, ...own });
  const code = find(root, { ...ERROR_CODE, ...own, except: [message?.pointer] });
  return Number(message !== undefined) + Number(code !== undefined);
}

/** Likeliest first: of two equally good ones the first is taken. */
function candidates(place: Found, levels: number): readonly string[] {
  if (levels === 0) return [];
  const members = membersOf(place);
  const within = (some: readonly Found[]): readonly string[] =>
    some.flatMap((member) => candidates(member, levels - 1));
  if (Array.isArray(place.value)) return within(members.slice(0, 1));
  if (!isJsonObject(place.value)) return [];
  const inside = (names: ReadonlySet<string>): readonly string[] =>
    within(members.filter(({ plain }) => names.has(plain)));
  return [...inside(ERROR_WRAPPERS), place.pointer, ...inside(LOOSE_WRAPPERS)];
}

const CODE_NAMES = words(`
  code errorcode errcode codename type errortype kind slug key reason name error title statuscode status errno
`);
const MESSAGE_NAMES = words(`
  message msg errormessage errormsg errmsg description errordescription detail details explanation text reason
  title error
`);

/** Names of members that are no request ID: those of codes and messages, and others. */
const OTHER_ERROR_MEMBERS: ReadonlySet<string> = new Set([
  ...CODE_NAMES,
  ...MESSAGE_NAMES,
  ...words(`
    param parameter field property pointer path location loc line column position docurl docsurl documentation
    documentationurl helpurl help hint link href url timestamp time date createdat created retryafter severity
    level method object domain service version apiversion model stack target scope limit input given received
    expected actual value values allowed success ok
  `),
]);

/** The items of an error object (ERR-1), which is at `in`. */
export const ERROR_CODE: Point<string | number> = {
  pins: ['error.code'],
  in: [''],
  names: CODE_NAMES,
  anywhere: words('code errorcode errcode'),
  accepts: isCodeOrId,
};

export const ERROR_MESSAGE: Point = {
  pins: ['error.message'],
  in: [''],
  names: MESSAGE_NAMES,
  anywhere: words('message msg errormessage errormsg'),
  accepts: isMessage,
};

const SURE_REQUEST_ID_NAMES: readonly string[] = words(
  'requestid xrequestid reqid requestuuid requestref requestreference',
);

const REQUEST_ID_NAMES = [
  ...SURE_REQUEST_ID_NAMES,
  ...words(`
    request/id traceid correlationid trackingid errorid incidentid eventid logid operationid invocationid
    transactionid activityid rayid rid cid trace/id
  `),
];

export const REQUEST_ID: Point<string | number> = {
  pins: ['error.request_id'],
  in: [''],
  names: [...REQUEST_ID_NAMES, ...words('uuid guid id ref reference instance')],
  anywhere: REQUEST_ID_NAMES,
  others: OTHER_ERROR_MEMBERS,
  accepts: isCodeOrId,
};

/** Whether a value can be a code or an ID: a non-empty text, or a number. */
export function isCodeOrId(value: JsonValue): value is string | number {
  return typeof value === 'number' || isFilled(value);
}

/** Whether a value can be a message: a non-empty text, or a list of such texts. */
export function isMessage(value: JsonValue): value is JsonValue {
  return Array.isArray(value) ? value.length > 0 && value.every(isFilled) : isFilled(value);
}

function isFilled(value: JsonValue): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
