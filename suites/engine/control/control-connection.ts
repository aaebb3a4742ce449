import type { z } from 'zod';
import { type JsonValue, HEADERS } from '../../../fixtures/chats/chat.ts';
import type { Control } from '../model/deployment.ts';
import { secretPlace, type Transport } from '../model/exchange.ts';
import { addressOf } from '../model/network.ts';
import { inconclusive, notExercised, type Ruling } from '../model/ruling.ts';
import { isSuccess } from '../reading/answers.ts';
import { readJson, valueAt } from '../reading/json.ts';
import { isText } from '../reading/locate.ts';

/** The control URL did not carry out a request. That says nothing about the target. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  /** `not-offered`: the deployment cannot do that. `not-done`: it did not. `unknown`: it may have. */
  readonly kind: 'not-offered' | 'not-done' | 'unknown';

  constructor(kind: ControlError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }

  /** The ruling on a trial that needed the answer. */
  get ruling(): Ruling {
    return this.kind === 'not-offered' ? notExercised(this.message) : inconclusive(this.message);
  }
}

/** Takes secrets out of what a control URL answers. */
export type Hide = <V>(value: V) => V;

/** Makes requests to paths below a control URL. Each throws a ControlError given no answer, or a refusal. */
export function openControl({ url, token, secrets }: Control, { exchange }: Transport, hide: Hide) {
  const { path: base } = addressOf(url);
  /** Returns the JSON of the answer; undefined where it has none. */
  const call = async (method: string, path: string, json?: object): Promise<JsonValue | undefined> => {
    const headers = {
      ...(token !== undefined && { [HEADERS.authorization]: `Bearer ${token}` }),
      ...(json !== undefined && { [HEADERS.contentType]: 'application/json' }),
    };
    const body = json && Buffer.from(JSON.stringify(json));
    const outcome = await exchange({ method, path: base + path, headers, body });
    if (outcome.kind !== 'answered') {
      const kind = outcome.kind === 'not-sent' ? 'not-done' : 'unknown';
      throw new ControlError(kind, `${placeOf(path)} did not answer: ${outcome.reason}`);
    }
    const { answer } = outcome;
    const read = readJson(answer);
    const value = read.kind === 'json' ? hide(read.value) : undefined;
    if (isSuccess(answer)) return value;
    throw refusal(`${method} of ${placeOf(path)}`, answer.status, value, secrets);
  };
  /** What a schema takes from the answer to a GET; a ControlError where that is not as the protocol says. */
  const read = async <T>(path: string, schema: z.ZodType<T>): Promise<T> => {
    const { success, data } = schema.safeParse(await call('GET', path));
    if (success) return data;
    throw new ControlError('unknown', `the answer of ${placeOf(path)} does not follow the control protocol`);
  };
  return { call, read };
}

/** Without the query, which may name a request. */
function placeOf(path: string): string {
  return `${path.split('?', 1)[0]} below the control URL`;
}

/** Statuses for operations and faults that a deployment does not know. */
const NOT_OFFERED: ReadonlySet<number> = new Set([400, 404, 405, 422, 501]);

const LONGEST_MESSAGE = 200;

function refusal(what: string, status: number, body: JsonValue = null, secrets: Control['secrets']) {
  const message = valueAt(body, '/error/message');
  const said = isText(message) ? `: ${message.slice(0, LONGEST_MESSAGE)}` : '';
  const line = `${what} was refused with status ${status}${said}`;
  const place = secretPlace('controlToken', secrets);
  if (status === 401 || status === 403)
    return new ControlError('not-done', `${line} (check the token in ${place})`);
  if (NOT_OFFERED.has(status)) return new ControlError('not-offered', line);
  return new ControlError(status < 500 ? 'not-done' : 'unknown', line);
}
