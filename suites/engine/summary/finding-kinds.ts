import type { JsonValue } from '../../../fixtures/chats/chat.ts';
import type { ClauseId } from '../../../fixtures/clauses/clauses.ts';
import type { Evidence } from '../model/summary.ts';
import { isJsonObject, parseJson, valueAt } from '../reading/json.ts';

/** What the whole run says of a clause. */
export interface Beside {
  /** Whether some check of it passed. */
  readonly passed: (clause: ClauseId) => boolean;
  /** In how many trials each failed check of it held. */
  readonly heldIn: (clause: ClauseId) => readonly number[];
}

/** A failure as the conditions below need it. */
interface Failed extends Beside {
  /** Where the request differs from its counterpart: a JSON pointer or a phrase. */
  readonly place: string;
  /** What stands there; undefined where nothing does. */
  readonly value: JsonValue | undefined;
  readonly body: JsonValue | undefined;
  readonly status: number;
  /** Of the answer. */
  readonly type: string;
  readonly answer: JsonValue | undefined;
}

/** Where a kind takes more than clause and code. What another part of the run refutes is not of it. */
const FITS: Readonly<Record<string, (failed: Failed) => boolean>> = {
  'unknown fields': (failed) => isField(failed.place) && takesAll(failed),
  'a field in another case': (failed) => FIELDS.has(failed.place.toLowerCase()) && !takesAll(failed),
  'some unknown fields': (failed) =>
    isField(failed.place) && !FIELDS.has(failed.place.toLowerCase()) && !takesAll(failed),
  'text for a value': isCoerced,
  'text for a number': isCoerced,
  'null for a value': ({ value }) => value === null,
  'a fraction': ({ value }) => typeof value === 'number',
  'no text for text': ({ value }) => value !== undefined && value !== null,
  'another role': ({ value }) => typeof value === 'string',
  'a role that is no text': ({ value }) => typeof value === 'number' || typeof value === 'boolean',
  'a body over a limit': ({ status }) => status === 413,
  'a rate limiter': ({ status, answer }) => status === 429 && answer === undefined,
  'a server error': ({ status, body }) => status === 500 && !isJsonObject(body),
  'a stream without a type': ({ type }) => type === '',
  'a stream as text/html': ({ type }) => type.startsWith('text/html'),
  'JSON as text/html': ({ type }) => type.startsWith('text/html'),
  'JSON as text/plain': ({ type }) => type.startsWith('text/plain'),
  'a stream without usage': ({ body }) => isJsonObject(body) && body['stream'] === true,
  'another scheme': ({ place }) => place.includes(' scheme'),
  'a key in the other case': ({ place }) => place.includes('in the other case'),
  'a key elsewhere': ({ place }) => /in the header|in the address/.test(place),
};

const FIELDS: ReadonlySet<string> = new Set([
  '/model',
  '/messages',
  '/temperature',
  '/max_tokens',
  '/stream',
]);

function isField(place: string): boolean {
  return /^\/[^/]*$/.test(place);
}

/** A parser may refuse some names, such as `__proto__`, whatever the service does with the others. */
function takesAll({ passed, heldIn }: Failed): boolean {
  return !passed('REQ-6') && (heldIn('REQ-6').length === 0 || heldIn('REQ-6').includes(0));
}

/** Who coerces the text of one field coerces that of others too. */
function isCoerced({ value, passed }: Failed): boolean {
  return typeof value === 'string' && !passed('REQ-3') && !passed('REQ-4');
}

/** Whether a failure with the clauses and codes of this kind is of it. */
export function fitsKind(kind: string, { exchange, control }: Evidence, beside: Beside): boolean {
  const place = control?.difference ?? '';
  const body = jsonIn(exchange.request.body);
  const value = body !== undefined && place.startsWith('/') ? valueAt(body, place) : undefined;
  const { status = 0, headers = {}, body: text } = exchange.answer ?? {};
  const type = headers['content-type'] ?? '';
  return FITS[kind]?.({ ...beside, place, value, body, status, type, answer: jsonIn(text) }) ?? true;
}

function jsonIn(text = ''): JsonValue | undefined {
  const reading = parseJson(Buffer.from(text));
  return reading.kind === 'json' ? reading.value : undefined;
}
