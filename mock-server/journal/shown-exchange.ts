import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { carriedSecrets, namedValues } from '../../fixtures/credentials/carried-secrets.ts';
import { redactBytes, redactText, type Secrets } from '../../fixtures/credentials/redact-secrets.ts';
import { isSecretName, replaceSecretParameters } from '../../fixtures/credentials/secret-names.ts';
import type { Immutable } from '../world/world-schema.ts';
import type { shownExchange } from './journal-schema.ts';
import type { Arrival, JournalRecord } from './journal.ts';

/** A request with everything that was recorded of it, without any key. */
export type ShownExchange = Immutable<z.output<typeof shownExchange>>;

export type ShownBody = NonNullable<ShownExchange['response']>['body'];
export type ShownHeader = NonNullable<ShownExchange['response']>['headers'][number];

/** A key of a world, with its name. */
export interface NamedKey {
  readonly name: string;
  readonly key: string;
}

/** The header of an answer that hands out a secret: those of other names tell what was refused, and what is left. */
const HANDED_OUT = 'set-cookie';

/** What stands in the place of a secret. */
const HIDDEN = '(a key)';

/** The keys of a world, and whatever secret the request itself carries. */
export function hiddenSecrets(
  keys: readonly NamedKey[],
  arrival: Pick<Arrival, 'url' | 'rawHeaders' | 'body'> | null,
): Secrets {
  const carried = arrival && carriedSecrets({ ...arrival, headers: arrival.rawHeaders });
  const all = [...keys.map(({ key }) => key), ...(carried ?? [])];
  return new Map(all.map((secret) => [secret, HIDDEN]));
}

const LONGEST_WORD = 256;

/** A word of the caller, such as a path: without secrets, and cut to 256 code units. */
export function shownWord(text: string, secrets: Secrets): string {
  return redactText(text, secrets).slice(0, LONGEST_WORD).toWellFormed();
}

/** Masks the keys of its world, and whatever credential the request itself carried. */
export function showExchange(
  { entry, arrival, answer, phasesMs, departures }: JournalRecord,
  keys: readonly NamedKey[],
): ShownExchange {
  const secrets = hiddenSecrets(keys, arrival);
  const headers = (raw: readonly string[], isSecret: (name: string) => boolean): readonly ShownHeader[] =>
    namedValues(raw).map(([name, value]) => [
      redactText(name, secrets),
      isSecret(name) ? credential(value, keys) : redactText(value, secrets),
    ]);
  return {
    entry,
    phases: entry.phases.map((phase, index) => ({ phase, ms: phasesMs[index] ?? 0 })),
    request: arrival && {
      url: redactText(replaceSecretParameters(arrival.url, hide), secrets),
      headers: headers(arrival.rawHeaders, isSecretName),
      body: arrival.body && showBody(arrival.body, secrets),
    },
    response: answer && {
      ...answer,
      headers: headers(answer.headers, (name) => name.toLowerCase() === HANDED_OUT),
      body: showBody(answer.body, secrets),
    },
    departures,
  };
}

const hide = (): string => HIDDEN;

/** `Bearer (a key: primary)`, or `(an unknown key)`. */
function credential(value: string, keys: readonly NamedKey[]): string {
  const [, scheme = '', secret = ''] = /^(\w+ +)?(.*)$/s.exec(value) ?? [];
  const known = keys.find(({ key }) => key === secret.trim());
  return `${scheme}${known === undefined ? '(an unknown key)' : `(a key: ${known.name})`}`;
}

function showBody(body: Buffer, secrets: Secrets): ShownBody {
  const shown = Buffer.from(redactBytes(body, secrets));
  const content = isUtf8(shown) ? { text: shown.toString() } : { base64: shown.toString('base64') };
  return { ...content, bytes: body.length };
}
