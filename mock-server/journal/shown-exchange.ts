import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { namedValues } from '../../fixtures/credentials/carried-secrets.ts';
import { redactBytes, redactText, type Secrets } from '../../fixtures/credentials/redact-secrets.ts';
import { isSecretName, replaceSecretParameters } from '../../fixtures/credentials/secret-names.ts';
import type { Immutable } from '../world/world.ts';
import { HIDDEN, hiddenSecrets } from './hidden-secrets.ts';
import type { shownExchange } from './journal-schema.ts';
import type { JournalWriter } from './journal-writer.ts';

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
  const secrets = hiddenSecrets(
    keys.map(({ key }) => key),
    request,
  );
  return {
    entry,
    phases: entry.phases.map((phase, index) => ({ phase, ms: phasesMs[index] ?? 0 })),
    request: request && {
      url: redactText(
        replaceSecretParameters(request.url, () => HIDDEN),
        secrets,
      ),
      headers: showHeaders(request.headers, { isSecret: isSecretName, keys, secrets }),
      body: request.body === null ? null : showBody(request.body, secrets),
    },
    response: answer && {
      status: answer.status,
      headers: showHeaders(answer.headers, {
        isSecret: (name) => name.toLowerCase() === HANDED_OUT,
        keys,
        secrets,
      }),
      body: showBody(answer.body, secrets),
      ms: answer.ms,
    },
    departures,
  };
}

interface HeadersShown {
  readonly isSecret: (name: string) => boolean;
  readonly keys: readonly NamedKey[];
  readonly secrets: Secrets;
}

function showHeaders(
  raw: readonly string[],
  { isSecret, keys, secrets }: HeadersShown,
): readonly ShownHeader[] {
  return namedValues(raw).map(([name, value]) => [
    redactText(name, secrets),
    isSecret(name) ? credential(value, keys) : redactText(value, secrets),
  ]);
}

/** `Bearer (a key: primary)`, or `(an unknown key)`. */
function credential(value: string, keys: readonly NamedKey[]): string {
  const [, scheme = '', secret = ''] = /^(\w+ +)?(.*)$/s.exec(value) ?? [];
  const known = keys.find(({ key }) => key === secret.trim());
  return `${scheme}${known === undefined ? '(an unknown key)' : `(a key: ${known.name})`}`;
}

/** `body`: one character for each byte. */
function showBody(body: string, secrets: Secrets): ShownBody {
  const shown = Buffer.from(redactBytes(Buffer.from(body, 'latin1'), secrets));
  const content = isUtf8(shown) ? { text: shown.toString() } : { base64: shown.toString('base64') };
  return { ...content, bytes: body.length };
}
