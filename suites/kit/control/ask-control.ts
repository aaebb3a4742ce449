import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import { HEADERS } from '../../../fixtures/chats/wire.ts';
import type { Answer } from '../model/exchange.ts';
import { isJsonObject, readJson } from '../reading/json.ts';
import { isSuccess } from '../reading/answers.ts';
import { openTransport, type WireRequest } from '../sending/transport.ts';
import { ControlError } from './control-failure.ts';

/** Where a deployment is controlled, and with which bearer token. */
export interface Control {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token?: string;
  /** How long the workspace may take to show what happened, in milliseconds; 10,000 unless given. */
  readonly patienceMs?: number;
}

/** Asks once for a path below the control URL. Null: done, and there is nothing to say. Throws a ControlError. */
export type ControlCall = (method: string, path: string, body?: object) => Promise<JsonValue>;

export interface ControlConnection {
  readonly call: ControlCall;
  readonly close: () => Promise<void>;
}

/** Operations and faults that a deployment does not know. */
const NOT_OFFERED: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);

const MOST_SAID = 200;

/** Opens connections to a control URL; `hide` takes secrets out of what its refusals say. */
export function openControl(
  { url, token }: Control,
  timeoutMs: number,
  hide: (text: string) => string,
): ControlConnection {
  const { origin, pathname } = new URL(url);
  const transport = openTransport(origin, timeoutMs);
  const base = pathname.replace(/\/$/, '');
  const authorization = token === undefined ? {} : { [HEADERS.authorization]: `Bearer ${token}` };
  const ask: ControlCall = async (method, path, body) => {
    const outcome = await transport.exchange(requestOf(method, base + path, authorization, body));
    const place = placeOf(path);
    if (outcome.kind !== 'answered') {
      const kind = outcome.kind === 'not-sent' ? 'not-done' : 'unknown';
      throw new ControlError(kind, `${place} did not answer: ${outcome.reason}`);
    }
    if (!isSuccess(outcome.answer)) throw refusal(`${method} of ${place}`, outcome.answer, hide);
    return valueOf(outcome.answer, path);
  };
  return { call: ask, close: transport.close };
}

/** What came is nothing that the control protocol knows. */
export function unexpectedAnswer(path: string): ControlError {
  return new ControlError('unknown', `${placeOf(path)} answered what the control protocol does not know`);
}

/** The query may name a request; the path says enough. */
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

function refusal(what: string, answer: Answer, hide: (text: string) => string): ControlError {
  const { status } = answer;
  const said = messageIn(answer);
  const told = `${what} was refused with status ${status}${said && `: ${hide(said).slice(0, MOST_SAID)}`}`;
  if (status === 401 || status === 403)
    return new ControlError('not-done', `${told} (the token is that in CHAT_CONTROL_TOKEN)`);
  if (NOT_OFFERED.has(status)) return new ControlError('not-offered', told);
  return new ControlError(status < 500 ? 'not-done' : 'unknown', told);
}

function messageIn(answer: Answer): string {
  const body = readJson(answer);
  const error = body.kind === 'json' && isJsonObject(body.value) ? body.value['error'] : undefined;
  const message = error !== undefined && isJsonObject(error) ? error['message'] : undefined;
  return typeof message === 'string' ? message : '';
}

/** What only changes something need not say anything. */
function valueOf(answer: Answer, path: string): JsonValue {
  if (answer.body.length === 0) return null;
  const body = readJson(answer);
  if (body.kind === 'json') return body.value;
  throw unexpectedAnswer(path);
}
