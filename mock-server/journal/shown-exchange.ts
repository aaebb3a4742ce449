import type { z } from 'zod';
import { isSecretName, replaceSecretParameters } from '../../fixtures/credentials/secret-names.ts';
import type { Immutable } from '../world/world.ts';
import { carriedSecrets, namedValues } from './carried-secrets.ts';
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

/** The header of an answer that hands out a secret: those of other names tell what was refused, and what is left. */
const HANDED_OUT = 'set-cookie';

/** Masks the keys of its world, and whatever credential the request itself carried. */
export function showExchange(writer: JournalWriter, keys: readonly NamedKey[]): ShownExchange {
  const { entry, request, answer, phasesMs, departures } = writer;
  const secrets = [...keys.map(({ key }) => key), ...(request === null ? [] : carriedSecrets(request))];
  const show = (text: string): string => masked(secrets, text);
  return {
    entry,
    phases: entry.phases.map((phase, index) => ({ phase, ms: phasesMs[index] ?? 0 })),
    request: request && {
      url: show(replaceSecretParameters(request.url, () => HIDDEN)),
      headers: showHeaders(request.headers, { isSecret: isSecretName, keys, show }),
      body: request.body === null ? null : showBody(Buffer.from(request.body, 'latin1'), show),
    },
    response: answer && {
      status: answer.status,
      headers: showHeaders(answer.headers, {
        isSecret: (name) => name.toLowerCase() === HANDED_OUT,
        keys,
        show,
      }),
      body: showBody(Buffer.from(answer.body, 'latin1'), show),
      ms: answer.ms,
    },
    departures,
  };
}

interface HeadersShown {
  readonly isSecret: (name: string) => boolean;
  readonly keys: readonly NamedKey[];
  readonly show: (text: string) => string;
}

function showHeaders(raw: readonly string[], { isSecret, keys, show }: HeadersShown): readonly ShownHeader[] {
  return namedValues(raw).map(([name, value]) => [
    show(name),
    isSecret(name) ? credential(value, keys) : show(value),
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
