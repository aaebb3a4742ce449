import { isSecretHeader } from '../../../fixtures/credentials/secret-names.ts';
import type { SecretPlace } from '../../../suites/engine/model/exchange.ts';
import { childPointer } from '../../../suites/engine/reading/json.ts';
import { UsageError } from '../terminal/terminal.ts';
import { listOf } from './kinds.ts';
import type { Schemas, SettingPlace } from './option.ts';
import { type HeaderSource, placesIn, readSource, sourceOf } from './secrets.ts';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\u0020-\u007e]+$/;

/** Headers of every request; each given one is read later, since no message may show it. */
export const headers = {
  ...listOf((word) => [headerOf(word)]),
  schema: (z: Schemas) =>
    z.record(
      z.string().regex(NAME, { error: 'must be the name of a header' }),
      z
        .union([z.string().min(1), ...placesIn(z)], {
          error: 'must be text, { "env": "NAME" } or { "file": "PATH" }',
        })
        .describe('Text, or where the secret is.'),
    ),
  ofSetting: (
    setting: Readonly<Record<string, string | SecretPlace>>,
    { place, inFolder }: SettingPlace,
  ): readonly HeaderSource[] =>
    Object.entries(setting).map(([name, given]) => {
      const said = `${place}${childPointer('', name)}`;
      const value = typeof given === 'string' ? given : sourceOf(given, { place: said, inFolder });
      return { name: name.toLowerCase(), value, said };
    }),
};

/** `NAME:VALUE`, or `NAME:@FILE` for a value that is the content of a file. */
function headerOf(text: string): HeaderSource {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  const said = `--header ${name}`;
  const value = text.slice(colon + 1).trim();
  if (!value.startsWith('@')) return { name, value, said };
  return { name, value: { from: { file: value.slice(1) }, said: `${said}:${value}` }, said };
}

/** The headers that the runner sets: another value would falsify the verdicts. */
const RESERVED: ReadonlySet<string> = new Set(
  'authorization idempotency-key content-length host accept-encoding connection transfer-encoding'.split(' '),
);

/** @throws {UsageError} Where it cannot be sent; no message shows a secret. */
export function headerValue({ name, value, said }: HeaderSource): string {
  if (!NAME.test(name)) throw new UsageError('--header must have the form NAME:VALUE');
  if (RESERVED.has(name)) throw new UsageError(`${said}: the runner sets this header itself`);
  if (typeof value === 'string' && isSecretHeader(name, value))
    throw new UsageError(
      `${said}: a secret must not be given as text: write --header ${name}:@FILE, or { "env": "NAME" } in a configuration`,
    );
  const text = typeof value === 'string' ? value : readSource(value);
  if (VALUE.test(text)) return text;
  throw new UsageError(`${said} must have a value of printable ASCII characters`);
}
