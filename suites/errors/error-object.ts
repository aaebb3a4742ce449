import type { JsonValue } from '../../fixtures/chats/chat.ts';
import { ofAll } from '../engine/inputs/judging/served-chat-invariant.ts';
import type { Invariant } from '../engine/model/check.ts';
import { type Answer, type Exchange, isCutShort } from '../engine/model/exchange.ts';
import { HOLDS, inconclusive, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, endpointOf, isSuccess } from '../engine/reading/answers.ts';
import { describeAnswer, isEventStream, wasRefused } from '../engine/reading/errors/disposition.ts';
import { type ErrorReading, readError, isCodeOrId, isMessage } from '../engine/reading/errors/read-error.ts';
import { isJsonObject, readJson, jsonText } from '../engine/reading/json.ts';
import type { ItemReading } from '../engine/reading/locate.ts';

const ITEMS = [
  { item: 'code', what: 'a code', point: 'error.code', fits: isCodeOrId },
  { item: 'message', what: 'a message', point: 'error.message', fits: isMessageText },
  { item: 'requestId', what: 'a request ID', point: 'error.request_id', fits: isCodeOrId },
] as const;

/**
 * Every refusal on the three endpoints has an error object. Other paths and methods may be answered by a router, and
 * STR-4 judges refusals inside an event stream.
 */
export const errorObject: Invariant = {
  id: 'error-object',
  clauses: ['ERR-1'],
  title: 'gives every refusal an error object with a code, a message and a request ID',
  decides: 'has its three items',
  ...ofPages((page, isFronts, info) => (isFronts ? undefined : hasErrorObject(page, info))),
  judge: (info) => (exchange) => {
    if (!isJudgedRefusal(exchange, info)) return undefined;
    const answer = answerOf(exchange);
    return isPageOfFront(answer) ? undefined : hasErrorObject(answer, info);
  },
};

/** So many answers of the service show what its headers look like. */
const ENOUGH = 3;

/** The service is not to blame for what stands before it, and its callers meet it all the same. */
export const frontErrorObject: Invariant = {
  id: 'front-error-object',
  clauses: ['ERR-1'],
  level: 'convention',
  title: 'refuses with its own error object, never with the error page of a proxy',
  because:
    'the specification binds the service, but callers also receive the error pages of a proxy in front of it',
  thresholds: { 'answers of the service that are enough to know its headers': ENOUGH },
  unexercised: 'no refusal was the error page of a proxy or gateway in front of the service',
  ...ofPages(({ status, headers: { server } }, isFronts) => {
    const by = server === undefined ? '' : ` (server: ${server})`;
    const actual = `an error page with status ${status}, from a proxy in front of the service${by}`;
    return isFronts ? violated('front-answered', 'a JSON error object', actual) : undefined;
  }),
};

function isJudgedRefusal(exchange: Exchange, info: TargetInfo): boolean {
  if (endpointOf(exchange.request) === undefined || !wasRefused(exchange, info)) return false;
  const answer = answerOf(exchange);
  return answer.status >= 400 || !isEventStream(answer);
}

/** Judges pages that may be a front's once the headers of the service are known. */
function ofPages(judge: (page: Answer, isFronts: boolean, info: TargetInfo) => Ruling | undefined) {
  return ofAll(
    (exchange) => (exchange.outcome.kind === 'answered' ? exchange : undefined),
    (all, info) => {
      const own = all.filter((each) => isOfService(each, info)).map(answerOf);
      return all.flatMap((exchange) => {
        const answer = answerOf(exchange);
        if (!isPageOfFront(answer) || !isJudgedRefusal(exchange, info)) return [];
        const ruling = judge(answer, isOfFront(answer, own), info);
        return ruling === undefined ? [] : [[exchange, ruling] as const];
      });
    },
  );
}

function isMessageText(value: JsonValue): boolean {
  if (!isJsonObject(value)) return isMessage(value);
  const texts = Object.entries(value);
  return texts.length > 0 && texts.every(([language, text]) => LANGUAGE.test(language) && isMessage(text));
}

const LANGUAGE = /^[a-z]{2,3}(?:[-_][a-z0-9]+)*$/i;

function hasErrorObject(answer: Answer, info: TargetInfo): Ruling {
  const error = readError(answer, info);
  if (error === undefined) return violated('no-error-object', 'a JSON error object', bodyOf(answer));
  return wrongItem(error) ?? unrecognisedItem(error) ?? HOLDS;
}

function bodyOf(answer: Answer): string {
  const body = readJson(answer);
  const type = answer.headers['content-type'];
  const what = body.kind === 'no-json' ? body.reason : `the body ${jsonText(body.value).slice(0, 60)}`;
  return type === undefined ? what : `${what} (content-type ${type})`;
}

function wrongItem(error: ErrorReading): Ruling | undefined {
  for (const { item, what, point, fits } of ITEMS) {
    const reading: ItemReading = error[item];
    const name = point.replace('error.', '').replace('_', '-');
    if (reading === 'absent') return absentItem(name, error);
    if (reading === 'unrecognised' || fits(reading.value)) continue;
    const actual = jsonText(reading.value).slice(0, 60);
    return violated(`unusable-${name}`, `${what} in the error object`, actual, reading.pointer);
  }
  return undefined;
}

/** Names every item that is certainly absent; the first one has the code. */
function absentItem(name: string, error: ErrorReading): Ruling {
  const [first, ...others] = ITEMS.filter(({ item }) => error[item] === 'absent').map(({ what }) => what);
  const wanted = [first, ...others].join(' and ');
  const actual = [`an error object without ${first}`, ...others.map((what) => `nor ${what}`)].join(', ');
  return violated(`no-${name}`, `${wanted} in the error object`, actual, error.pointer);
}

/** Where more items are missing than members are left, at least one item is certainly absent. */
function unrecognisedItem(error: ErrorReading): Ruling | undefined {
  const missing = ITEMS.filter(({ item }) => error[item] === 'unrecognised');
  const [first] = missing;
  if (first === undefined) return undefined;
  const names = missing.map(({ what }) => what).join(' and ');
  const few = 'an error object with too few members to hold them';
  if (missing.length > error.unknownMembers.length)
    return violated('items-missing', names, few, error.pointer);
  const hint = `pin ${missing.map(({ point }) => `"${point}"`).join(' and ')} in a profile`;
  return notExercised(`${names} could not be recognised in the error object`, hint);
}

/** What proxies, balancers and firewalls refuse by themselves: access, sizes, times and rates. */
const FRONT_STATUSES: ReadonlySet<number> = new Set([403, 408, 413, 414, 429, 431]);

/** Headers that any server may send or leave out. */
const GENERIC =
  /^(server|date|connection|keep-alive|transfer-encoding|content-(type|length|encoding)|cache-control|vary|retry-after)$/;

/** Whether a page came from a front, and not from the service that gave all these answers. */
function isOfFront(page: Answer, own: readonly Answer[]): boolean {
  if (own.length < ENOUGH) return false;
  const { server } = page.headers;
  if (own.every(({ headers }) => headers['server'] !== server)) return true;
  const lacks = (name: string): boolean => page.headers[name] === undefined;
  const always = Object.keys(own[0]?.headers ?? {}).filter((name) =>
    own.every(({ headers }) => headers[name] !== undefined),
  );
  if (always.includes('date') && lacks('date')) return true;
  const special = always.filter((name) => !GENERIC.test(name));
  return server !== undefined && (namesItself(server, page) || (special.length > 0 && special.every(lacks)));
}

/** Whether a refusal may be the page of a front, by its status and its whole body alone. */
function isPageOfFront(answer: Answer): boolean {
  return FRONT_STATUSES.has(answer.status) && !isCutShort(answer) && readJson(answer).kind === 'no-json';
}

/** Judges that a refusal holds an error object. ERR-1 judges its items, and a page that may be a front's. */
export function holdsErrorObject(exchange: Exchange, info: TargetInfo): Ruling {
  const answer = answerOf(exchange);
  if (readError(answer, info) !== undefined) return HOLDS;
  const received = describeAnswer(exchange, info);
  return isPageOfFront(answer)
    ? inconclusive(`possibly a proxy's error page, see ERR-1: ${received}`)
    : violated('no-error-object', 'an error object', `${received} without a JSON error object`);
}

/** Whether only the service can have given an answer. */
function isOfService(exchange: Exchange, info: TargetInfo): boolean {
  const answer = answerOf(exchange);
  if (endpointOf(exchange.request) === undefined) return false;
  return isSuccess(answer) || (wasRefused(exchange, info) && readError(answer, info) !== undefined);
}

/** Pages of fronts end in the name of their product. */
function namesItself(server: string, { body }: Answer): boolean {
  const [product = ''] = server.toLowerCase().split(/[/ ]/);
  return product !== '' && Buffer.from(body).toString('latin1').toLowerCase().includes(product);
}
