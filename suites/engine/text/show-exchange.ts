import type { Credential, Exchange } from '../model/exchange.ts';
import type { ShownExchange } from '../model/summary.ts';
import { childPointer, jsonOfText } from '../reading/json.ts';
import { truncate } from './printable.ts';

const LONGEST_BODY = 4000;

/** An exchange as reports show it, without keys: they were removed before it was recorded. `most`: of the answer. */
export function showExchange({ id, request, outcome }: Exchange, most = LONGEST_BODY): ShownExchange {
  const answer = outcome.kind === 'not-sent' ? undefined : outcome.answer;
  return {
    id,
    request: {
      method: request.method,
      path: request.path,
      credential: credentialName(request.credential),
      headers: request.headers,
      ...(request.body !== undefined && { body: shownBody(request.body) }),
    },
    outcome: outcome.kind === 'answered' ? 'answered' : `${outcome.kind}: ${outcome.reason}`,
    ...(answer !== undefined && {
      answer: { status: answer.status, headers: answer.headers, body: shownBody(answer.body, most) },
    }),
  };
}

function credentialName(credential: Credential): string {
  if (credential.kind === 'key') return `the ${credential.name} key`;
  return credential.kind === 'forged' ? credential.label : 'no Authorization header';
}

function shownBody(body: Uint8Array, most = LONGEST_BODY): string {
  const text = Buffer.from(body).toString('utf8');
  return text.length <= most ? text : `${truncate(text, most)}… (${body.length} bytes in total)`;
}

/** How a request differs from its counterpart: in `most` places of the body as JSON pointers, or a phrase. */
export function difference(one: Exchange, other: Exchange, most = 1): string {
  const places = differingPlaces(one, other, most);
  if (typeof places === 'string') return places;
  return places.length === 0 ? 'the headers' : places.join(' and ') || 'the whole body';
}

/** The places of the body in which two requests differ: none if only headers do, or a phrase if it is not the body that differs. */
export function differingPlaces({ request: one }: Exchange, { request: other }: Exchange, most: number) {
  if (one.method !== other.method) return `the method: ${one.method} instead of ${other.method}`;
  if (one.path !== other.path) return `the path: ${one.path} instead of ${other.path}`;
  const [name, otherName] = [credentialName(one.credential), credentialName(other.credential)];
  if (name !== otherName) return `the credential: ${name} instead of ${otherName}`;
  const [a, b] = [one, other].map(({ body = [] }) => jsonOfText(Buffer.from(body).toString('utf8')));
  if (a === undefined || b === undefined) return 'the bytes of the body';
  return placesOf(a, b, '', most);
}

/** The deepest places, `most` of them, that hold every difference of two JSON values; none when they are equal. */
function placesOf(a: unknown, b: unknown, at: string, most: number): readonly string[] {
  if (Object.is(a, b)) return [];
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return [at];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  const places = [...names].flatMap((name) => {
    if (!Object.hasOwn(a, name) || !Object.hasOwn(b, name)) return [childPointer(at, name)];
    return placesOf(a[name], b[name], childPointer(at, name), most);
  });
  return places.length > most ? [at] : places;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
