import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Control } from '../model/deployment.ts';
import type { Answer, Transport, WireRequest } from '../model/exchange.ts';
import { secretPlace } from '../model/exchange.ts';
import { addressOf } from '../model/network.ts';
import { inconclusive, notExercised, type Ruling } from '../model/ruling.ts';
import { isSuccess } from '../reading/answers.ts';
import { isJsonObject, readJson } from '../reading/json.ts';

/**
 * Makes one request to a path below the control URL. Returns null given an empty answer.
 * @throws {ControlError} Given no answer, a refusal, or an answer that is not JSON.
 */
export type ControlCall = (method: string, path: string, body?: object) => Promise<JsonValue>;

/** `not-offered`: the deployment cannot do that. `not-done`: it did not. `unknown`: it may have. */
export type ControlErrorKind = 'not-offered' | 'not-done' | 'unknown';

/** The control URL did not carry out a request. That says nothing about the target. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly kind: ControlErrorKind;

  constructor(kind: ControlErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }

  /** The ruling on a trial that needed the answer. */
  get ruling(): Ruling {
    return this.kind === 'not-offered' ? notExercised(this.message) : inconclusive(this.message);
  }
}

/** Statuses for operations and faults that a deployment does not know. */
const NOT_OFFERED: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);

const LONGEST_MESSAGE = 200;

/** Takes secrets out of words of a control URL. */
export type Hide = (text: string) => string;

/** Calls a control URL; `hide` takes secrets out of the messages of its refusals. */
export function openControl({ url, token, secrets }: Control, transport: Transport, hide: Hide): ControlCall {
  const { path: base } = addressOf(url);
  const authorization = token === undefined ? {} : { [HEADERS.authorization]: `Bearer ${token}` };
  return async (method, path, body) => {
    const outcome = await transport.exchange(requestOf(method, base + path, authorization, body));
    const place = placeOf(path);
    if (outcome.kind !== 'answered') {
      const kind = outcome.kind === 'not-sent' ? 'not-done' : 'unknown';
      throw new ControlError(kind, `${place} did not answer: ${outcome.reason}`);
    }
    if (!isSuccess(outcome.answer)) throw refusal(`${method} of ${place}`, outcome.answer, hide, secrets);
    return valueOf(outcome.answer, path);
  };
}

/** The answer does not follow the control protocol. */
export function unexpectedAnswer(path: string): ControlError {
  return new ControlError('unknown', `the answer of ${placeOf(path)} does not follow the control protocol`);
}

/** Without the query, which may name a request. */
function placeOf(path: string): string {
  return `${path.split('?', 1)[0]} below the control URL`;
}

function requestOf(
  method: string,
  path: string,
  authorization: Record<string, string>,
  body: object | undefined,
): WireRequest {
  if (body === undefined) return { method, path, headers: authorization, body };
  const headers = { ...authorization, [HEADERS.contentType]: 'application/json' };
  return { method, path, headers, body: Buffer.from(JSON.stringify(body)) };
}

function refusal(what: string, answer: Answer, hide: Hide, secrets: Control['secrets']): ControlError {
  const { status } = answer;
  const message = messageIn(answer);
  const text = `${what} was refused with status ${status}${message && `: ${hide(message).slice(0, LONGEST_MESSAGE)}`}`;
  if (status === 401 || status === 403)
    return new ControlError(
      'not-done',
      `${text} (check the token in ${secretPlace('controlToken', secrets)})`,
    );
  if (NOT_OFFERED.has(status)) return new ControlError('not-offered', text);
  return new ControlError(status < 500 ? 'not-done' : 'unknown', text);
}

function messageIn(answer: Answer): string {
  const body = readJson(answer);
  const error = body.kind === 'json' && isJsonObject(body.value) ? body.value['error'] : undefined;
  const message = error !== undefined && isJsonObject(error) ? error['message'] : undefined;
  return typeof message === 'string' ? message : '';
}

function valueOf(answer: Answer, path: string): JsonValue {
  if (answer.body.length === 0) return null;
  const body = readJson(answer);
  if (body.kind === 'json') return body.value;
  throw unexpectedAnswer(path);
}
