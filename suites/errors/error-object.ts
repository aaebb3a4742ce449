import type { JsonValue } from '../../fixtures/chats/chat.ts';
import type { Answer } from '../kit/model/exchange.ts';
import type { Invariant } from '../kit/model/invariant.ts';
import { HOLDS, notExercised, type Ruling, violated } from '../kit/model/ruling.ts';
import type { TargetInfo } from '../kit/model/target.ts';
import { answerOf, endpointOf } from '../kit/reading/answers.ts';
import { dispositionOf, isEventStream } from '../kit/reading/errors/disposition.ts';
import { isCodeOrId, isMessage } from '../kit/reading/errors/error-members.ts';
import { type ErrorReading, type ItemReading, readError } from '../kit/reading/errors/read-error.ts';
import { isJsonObject, readJson, jsonText } from '../kit/reading/json.ts';

const ITEMS = [
  { item: 'code', name: 'code', what: 'a code', point: 'error.code', fits: isCodeOrId },
  {
    item: 'message',
    name: 'message',
    what: 'a message',
    point: 'error.message',
    fits: isMessageInAnyLanguage,
  },
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
  judge: (info) => (exchange) => {
    if (endpointOf(exchange.request) === undefined || dispositionOf(exchange, info) !== 'refused')
      return undefined;
    const answer = answerOf(exchange);
    return answer.status < 400 && isEventStream(answer) ? undefined : hasErrorObject(answer, info);
  },
};

/** A text, a list of texts, or a text per language. */
function isMessageInAnyLanguage(value: JsonValue): boolean {
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
    if (reading === 'absent')
      return violated(`no-${name}`, what, `an error object without ${what}`, error.pointer);
    if (reading === 'unrecognised' || fits(reading.value)) continue;
    return violated(`unusable-${name}`, what, jsonText(reading.value).slice(0, 60), reading.pointer);
  }
  return undefined;
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
