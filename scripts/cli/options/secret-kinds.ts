import { isSecretHeader } from '../../../fixtures/credentials/secret-names.ts';
import type { SecretPlace } from '../../../suites/engine/model/exchange.ts';
import { childPointer } from '../../../suites/engine/reading/json.ts';
import { filled, type Schemas, type SettingPlace } from './kinds.ts';

/** Where a secret is, and what messages call it. The secret itself stands in no configuration and no command line. */
export interface SecretSource {
  readonly from: SecretPlace;
  /** `STAGING_KEY (…)`, `--api-key-file key.txt`: never the secret. */
  readonly said: string;
}

/** A header as the command line or a configuration gives it. */
export interface HeaderSource {
  readonly name: string;
  readonly value: string | SecretSource;
  /** What messages call it; the value may be a secret, so that no message shows it. */
  readonly said: string;
}

/** What is said of a secret that stands as text. */
const NEVER_TEXT = 'a secret stands as { "env": "NAME" } or { "file": "PATH" }, never as text';

const variable = (z: Schemas) =>
  z.strictObject({ env: z.string().min(1).describe('A variable of the environment.') });

const file = (z: Schemas) =>
  z.strictObject({ file: z.string().min(1).describe('A file that contains nothing else.') });

function sourceOf(from: SecretPlace, { place, inFolder }: SettingPlace): SecretSource {
  if ('env' in from) return { from, said: `${from.env} (${place})` };
  const path = inFolder(from.file);
  return { from: { file: path }, said: `${path} (${place})` };
}

/** Where a secret is: the command line names a file. */
export const secret = (flag: string) => ({
  parse: (word: string): SecretSource => ({ from: { file: filled(word) }, said: `${flag} ${word}` }),
  schema: (z: Schemas) => z.union([variable(z), file(z)], { error: NEVER_TEXT }),
  ofSetting: sourceOf,
});

export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Headers of every request; each given one is read later, since no message may show it. */
export const headers = {
  parse: (word: string, before: readonly HeaderSource[] = []): readonly HeaderSource[] => [
    ...before,
    headerOf(word),
  ],
  schema: (z: Schemas) =>
    z
      .record(
        z.string().regex(HEADER_NAME, { error: 'must be the name of a header' }),
        z
          .union([z.string().min(1), variable(z), file(z)], {
            error: 'must be text, { "env": "NAME" } or { "file": "PATH" }',
          })
          .describe('Text, or where the secret is.'),
      )
      .superRefine((values, context) => {
        for (const [name, value] of Object.entries(values)) {
          if (typeof value === 'string' && isSecretHeader(name, value))
            context.addIssue({ code: 'custom', path: [name], message: NEVER_TEXT, input: value });
        }
      }),
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
