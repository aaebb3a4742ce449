import type { JsonValue } from '../../fixtures/chats/chat.ts';
import type { Invariant, RunJudge } from '../engine/model/check.ts';
import type { Answer, Exchange } from '../engine/model/exchange.ts';
import { HOLDS, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, endpointOf } from '../engine/reading/answers.ts';
import { isEventStream, wasRefused } from '../engine/reading/errors/disposition.ts';
import { type ErrorReading, readError } from '../engine/reading/errors/read-error.ts';
import { isJsonObject, readJson, jsonText } from '../engine/reading/json.ts';
import type { ItemReading } from '../engine/reading/locate.ts';
import { isCodeOrId, isMessage } from '../engine/reading/points.ts';
import { isOfFront, isOfService, isPageOfFront } from './fronts.ts';

const ITEMS = [
  { item: 'code', name: 'code', what: 'a code', point: 'error.code', fits: isCodeOrId },
  { item: 'message', name: 'message', what: 'a message', point: 'error.message', fits: isMessageText },
  {
    item: 'requestId',
    name: 'request-id',
    what: 'a request ID',
    point: 'error.request_id',
    fits: isCodeOrId,
  },
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
  judge: (info) => (exchange) => {
    if (!isJudgedRefusal(exchange, info)) return undefined;
    const answer = answerOf(exchange);
    return isPageOfFront(answer) ? undefined : hasErrorObject(answer, info);
  },
  ofRun: (info) => judgePages(info, (page, isFronts) => (isFronts ? undefined : hasErrorObject(page, info))),
};

/** The service is not to blame for what stands before it, and its callers meet it all the same. */
export const frontErrorObject: Invariant = {
  id: 'front-error-object',
  clauses: ['ERR-1'],
  level: 'convention',
  title: 'lets no front refuse a request with a page of its own',
  because: 'the specification binds the service; a caller behind the front meets its pages nevertheless',
  judge: () => () => undefined,
  unexercised: 'no refusal was the page of a front, such as a proxy or a gateway',
  ofRun: (info) =>
    judgePages(info, (page, isFronts) => {
      if (!isFronts) return undefined;
      const { server } = page.headers;
      const by = server === undefined ? '' : ` (server: ${server})`;
      const actual = `a page with status ${page.status}: the front answered, not the service${by}`;
      return violated('front-answered', 'a JSON error object', actual);
    }),
};

function isJudgedRefusal(exchange: Exchange, info: TargetInfo): boolean {
  if (endpointOf(exchange.request) === undefined || !wasRefused(exchange, info)) return false;
  const answer = answerOf(exchange);
  return answer.status >= 400 || !isEventStream(answer);
}

/** Judges pages that may be a front's once the headers of the service are known. */
function judgePages(
  info: TargetInfo,
  judge: (page: Answer, isFronts: boolean) => Ruling | undefined,
): RunJudge {
  const own: Answer[] = [];
  const pages: Exchange[] = [];
  return {
    note: (exchange) => {
      if (exchange.outcome.kind !== 'answered') return;
      const { answer } = exchange.outcome;
      if (isOfService(exchange, info)) own.push(answer);
      if (isJudgedRefusal(exchange, info) && isPageOfFront(answer)) pages.push(exchange);
    },
    rulings: () =>
      pages.flatMap((page) => {
        const answer = answerOf(page);
        const ruling = judge(answer, isOfFront(answer, own));
        return ruling === undefined ? [] : [[page, ruling] as const];
      }),
  };
}

/** A text, a list of texts, or a text per language. */
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
  for (const { item, name, what, fits } of ITEMS) {
    const reading: ItemReading = error[item];
    if (reading === 'absent') return absentItem(name, error);
    if (reading === 'unrecognised' || fits(reading.value)) continue;
    return violated(
      `unusable-${name}`,
      `${what} in the error object`,
      jsonText(reading.value).slice(0, 60),
      reading.pointer,
    );
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
  if (missing.length > error.unknownMembers.length)
    return violated('items-missing', names, 'an error object with fewer members than that', error.pointer);
  const hint = `pin ${missing.map(({ point }) => `"${point}"`).join(' and ')} in a profile`;
  return notExercised(`${names} could not be recognised in the error object`, hint);
}
