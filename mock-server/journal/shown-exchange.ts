import type { z } from 'zod';
import type { Immutable } from '../world/world.ts';
import type { shownExchange } from './journal-schema.ts';
import type { JournalWriter } from './journal-writer.ts';
import { HIDDEN, masked } from './mask-keys.ts';

/** A request with everything that was recorded of it, without any key. */
export type ShownExchange = Immutable<z.output<typeof shownExchange>>;

export type ShownBody = NonNullable<ShownExchange['response']>['body'];
export type ShownHeader = NonNullable<ShownExchange['response']>['headers'][number];

/** A key of a world, with its name. */
export interface NamedKey {
  readonly name: string;
  readonly key: string;
}

/** Headers of which the whole value is a secret. */
const CREDENTIALS = new Set([
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'api-key',
  'cookie',
  'set-cookie',
]);
/** Shorter words are no credentials, and would be found everywhere. */
const SHORTEST_CREDENTIAL = 8;

/** Masks the keys of its world, and whatever credential the request itself carried. */
export function showExchange(writer: JournalWriter, keys: readonly NamedKey[]): ShownExchange {
  const { entry, request, answer, phasesMs, departures } = writer;
  const secrets = [...keys.map(({ key }) => key), ...credentialsOf(request?.headers ?? [])];
  const show = (text: string): string => masked(secrets, text);
  return {
    entry,
    phases: entry.phases.map((phase, index) => ({ phase, ms: phasesMs[index] ?? 0 })),
    request: request && {
      url: show(request.url),
      headers: showHeaders(request.headers, keys, show),
      body: request.body === null ? null : showBody(Buffer.from(request.body, 'latin1'), show),
    },
    response: answer && {
      status: answer.status,
      headers: showHeaders(answer.headers, keys, show),
      body: showBody(Buffer.from(answer.body, 'latin1'), show),
      ms: answer.ms,
    },
    departures,
  };
}

function credentialsOf(raw: readonly string[]): readonly string[] {
  return pairs(raw)
    .filter(([name]) => CREDENTIALS.has(name.toLowerCase()))
    .flatMap(([, value]) => value.split(/[\s,;]+/))
    .filter(({ length }) => length >= SHORTEST_CREDENTIAL);
}

function showHeaders(
  raw: readonly string[],
  keys: readonly NamedKey[],
  show: (text: string) => string,
): readonly ShownHeader[] {
  return pairs(raw).map(([name, value]) => [
    show(name),
    CREDENTIALS.has(name.toLowerCase()) ? credential(value, keys) : show(value),
  ]);
}

/** `Bearer (a key: primary)`, or `(an unknown key)`. */
function credential(value: string, keys: readonly NamedKey[]): string {
  const [, scheme = '', secret = ''] = /^(\w+ +)?(.*)$/s.exec(value) ?? [];
  const known = keys.find(({ key }) => key === secret.trim());
  return `${scheme}${known === undefined ? '(an unknown key)' : `(a key: ${known.name})`}`;
}

function showBody(bytes: Buffer, show: (text: string) => string): ShownBody {
  const text = bytes.toString();
  const isText = Buffer.from(text).equals(bytes);
  const shown = show(isText ? text : bytes.toString('latin1'));
  if (isText) return { text: shown, bytes: bytes.length };
  const isHidden = shown.includes(HIDDEN);
  return isHidden
    ? { text: HIDDEN, bytes: bytes.length }
    : { base64: bytes.toString('base64'), bytes: bytes.length };
}

function pairs(raw: readonly string[]): readonly ShownHeader[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [
    raw[2 * index] ?? '',
    raw[2 * index + 1] ?? '',
  ]);
}
