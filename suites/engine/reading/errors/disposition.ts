import { type JsonObject, type JsonValue, ENDPOINTS } from '../../../../fixtures/chats/chat.ts';
import type { Answer, Exchange } from '../../model/exchange.ts';
import type { TargetInfo } from '../../model/target.ts';
import { answerOf, type Endpoint, endpointOf, isSuccess, readOnce } from '../answers.ts';
import { isJsonObject, readJson, jsonText } from '../json.ts';
import { findPinned, namesIn, normalizeName } from '../locate.ts';
import { readEvents } from '../read-events.ts';
import { codeOfError, ERROR_CODE, ERROR_WRAPPERS } from './read-error.ts';

/** What a service did with a request, under any names and shapes. */
export type Disposition = 'served' | 'refused' | 'failed' | 'unrecognised';

/**
 * Statuses are open (ERR-9), so below 400 the body decides: an error object is a refusal whatever the status. From 400
 * on the class of the status decides, except that 501 refuses other methods and paths (RFC 9110). On the chat endpoint
 * success with neither choices nor an error object is `unrecognised`. Other judgements say whether a completion is
 * right. Read once, since nearly all of them ask.
 */
export const dispositionOf: (exchange: Exchange, info: TargetInfo) => Disposition = readOnce(read);

function read(exchange: Exchange, info: TargetInfo): Disposition {
  const answer = answerOf(exchange);
  if (answer.status === 501 && endpointOf(exchange.request) === undefined) return 'refused';
  if (answer.status >= 500) return 'failed';
  if (answer.status >= 400) return 'refused';
  if (saysError(answer, info)) return 'refused';
  if (!isSuccess(answer)) return 'unrecognised';
  return exchange.request.path !== ENDPOINTS.chat || holdsCompletion(answer) ? 'served' : 'unrecognised';
}

/** Whether a request was answered, and refused. */
export function wasRefused(exchange: Exchange, info: TargetInfo): boolean {
  return exchange.outcome.kind === 'answered' && dispositionOf(exchange, info) === 'refused';
}

/** Whether a request was answered, and served. */
export function wasServed(exchange: Exchange, info: TargetInfo): boolean {
  return exchange.outcome.kind === 'answered' && dispositionOf(exchange, info) === 'served';
}

function holdsCompletion(answer: Answer): boolean {
  const body = readJson(answer);
  if (body.kind === 'no-json') return isEventStream(answer);
  return hasChoices(body.value) || (isJsonObject(body.value) && Object.values(body.value).some(hasChoices));
}

function hasChoices(value: JsonValue): boolean {
  return isJsonObject(value) && Object.hasOwn(value, 'choices');
}

/** By content type, or else by the first bytes of the body. */
export function isEventStream(answer: Answer): boolean {
  if (/^text\/event-stream\b/i.test(answer.headers['content-type'] ?? '')) return true;
  return /^(?:data|event|id|retry)?:/.test(Buffer.from(answer.body.subarray(0, 8)).toString('latin1'));
}

function saysError(answer: Answer, info: TargetInfo): boolean {
  const body = readJson(answer);
  if (body.kind === 'json')
    return isErrorBody(body.value) || (!holdsCompletion(answer) && holdsPinnedCode(body.value, info));
  if (!isEventStream(answer)) return false;
  // A refusal inside a stream comes in its first event.
  const [first] = readEvents(answer).events;
  return first !== undefined && (first.name === 'error' || isErrorBody(first.json ?? null));
}

/** Whether a body with a success status holds an error. */
export function isErrorBody(value: JsonValue): boolean {
  if (!isJsonObject(value) || hasAnyChoice(value)) return false;
  const members = Object.entries(value).map(([name, held]) => [normalizeName(name), held] as const);
  return (
    members.some(([name, held]) => ERROR_WRAPPERS.has(name) && isFilled(held)) ||
    members.some(([name, held]) => SUCCESS_FLAGS.has(name) && held === false) ||
    isBareError(value)
  );
}

/** An envelope with fixed members has `"choices": null` or `[]` beside an error. */
function hasAnyChoice(value: JsonObject): boolean {
  const { choices } = value;
  return hasChoices(value) && choices !== null && !(Array.isArray(choices) && choices.length === 0);
}

/** Flags such as `"success": false`. */
const SUCCESS_FLAGS = namesIn('ok success successful succeeded issuccess');

function isFilled(value: JsonValue): boolean {
  if (isJsonObject(value) && isFine(value['code'])) return false;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return typeof value === 'string' && value !== '';
}

const FINE = /^(0|200|ok|okay|success(ful)?|succeeded|none)$/i;

/** Whether a code or a message means success. */
function isFine(said: JsonValue | undefined): boolean {
  return (typeof said === 'string' || typeof said === 'number') && FINE.test(String(said));
}

/** `{ "code": …, "message": … }`, unless one of them means success. */
function isBareError(value: JsonObject): boolean {
  const { code, message } = value;
  if (typeof message !== 'string' || (typeof code !== 'string' && typeof code !== 'number')) return false;
  return !isFine(code) && !isFine(message);
}

function holdsPinnedCode(body: JsonValue, { profile }: TargetInfo): boolean {
  const code = findPinned(body, ERROR_CODE, profile);
  return code !== undefined && !isFine(code.value);
}

/** An answer that is no refusal, as a short phrase: its status, and what was served. */
export function describeSuccess(exchange: Exchange): string {
  const answer = answerOf(exchange);
  const endpoint = endpointOf(exchange.request) ?? 'chat';
  return `${answer.status} with ${isEventStream(answer) ? 'an event stream' : SERVED[endpoint]}`;
}

const SERVED: Readonly<Record<Endpoint, string>> = {
  chat: 'a completion',
  models: 'a list of models',
  vision: 'the vision capabilities',
};

/** An answer as a short phrase: its status and, if it has one, its error code. */
export function describeAnswer(exchange: Exchange, info: TargetInfo): string {
  const answer = answerOf(exchange);
  const code = answer.status >= 400 ? codeOfError(answer, info) : undefined;
  const withCode = code === undefined ? '' : `, code ${jsonText(code).slice(0, 80)}`;
  return `status ${answer.status}${withCode}`;
}
