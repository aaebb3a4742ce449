import { z } from 'zod';
import { isSecretHeader } from '../../../fixtures/credentials/secret-names.ts';
import { CHECK_OPTIONS } from '../options/check-table.ts';
import * as kinds from '../options/kinds.ts';
import type { OptionRow } from '../options/option.ts';

type Rows = typeof CHECK_OPTIONS;

/** The settings of the table, by their places: `caps.requests`. */
type Placed = {
  readonly [
    N in keyof Rows as Rows[N] extends { readonly setting: infer Place extends string } ? Place : never
  ]?: z.infer<ReturnType<Rows[N]['kind']['schema']>>;
};

type Members<Group extends string> = {
  readonly [
    Place in keyof Placed as Place extends `${Group}.${infer Member}` ? Member : never
  ]: Placed[Place];
};

/** What a configuration says of all targets, or of one. */
export type Settings = {
  readonly [Place in keyof Placed as Place extends `${string}.${string}` ? never : Place]: Placed[Place];
} & { readonly [Group in keyof typeof GROUPS]?: Members<Group> } & {
  readonly headers?: z.infer<typeof headers>;
};

/** A configuration as a file holds it. */
export type Configuration = Settings & {
  readonly $schema?: string;
  readonly default?: string;
  readonly targets?: Readonly<Record<string, Settings>>;
};

/** Settings of more than one member. */
const GROUPS = {
  keys: 'The keys of the target. Absent: CHAT_API_KEY, CHAT_SECOND_API_KEY, CHAT_UNSCOPED_API_KEY.',
  caps: 'Limits of a run.',
  tls: 'Certificates.',
} as const;

const header = z
  .union([z.string().min(1), kinds.secret.schema(z)], {
    error: 'must be text, { "env": "NAME" } or { "file": "PATH" }',
  })
  .describe('Text, or where the secret is.');

const headers = z
  .record(
    z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, { error: 'must be the name of a header' }),
    header,
  )
  .superRefine((values, context) => {
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === 'string' && isSecretHeader(name, value))
        context.addIssue({ code: 'custom', path: [name], message: kinds.NEVER_TEXT, input: value });
    }
  });

/** What can stand at the top, for every target, and in each target: the settings of the table, each of which may be absent. */
function settings(): Readonly<Record<string, z.ZodExactOptional>> {
  const shape: Record<string, z.ZodExactOptional> = {
    headers: headers.describe('Headers of every request.').exactOptional(),
  };
  const members: Record<string, Record<string, z.ZodExactOptional>> = {};
  for (const { setting, kind, says } of Object.values<OptionRow>(CHECK_OPTIONS)) {
    if (setting === undefined) continue;
    const [place = '', member] = setting.split('.');
    const schema = kind.schema(z).describe(sentence(says)).exactOptional();
    if (member === undefined) shape[place] = schema;
    else members[place] = { ...members[place], [member]: schema };
  }
  for (const [group, says] of Object.entries(GROUPS))
    shape[group] = z
      .strictObject(members[group] ?? {})
      .describe(says)
      .exactOptional();
  return shape;
}

function sentence(says: string): string {
  return `${says.charAt(0).toUpperCase()}${says.slice(1)}.`;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema that is made of a table forgets what it makes
export const configurationSchema = z
  .strictObject({
    $schema: z.string().exactOptional().describe('Where this schema is, for editors.'),
    ...settings(),
    default: z
      .string()
      .exactOptional()
      .describe('Target of a command that names none; one that is alone needs no default.'),
    targets: z
      .record(
        z.string().regex(/^[\w.-]+$/, { error: 'must be letters, digits, dots and hyphens' }),
        z.strictObject(settings()),
      )
      .exactOptional()
      .describe('Targets by name, for --target. Each setting replaces that of the top.'),
  })
  .describe(
    'Configuration of chat-conformance. Paths are relative to this file.',
  ) as unknown as z.ZodType<Configuration>;

export function configurationJsonSchema(): object {
  const schema = z.toJSONSchema(configurationSchema, { io: 'input', reused: 'ref' });
  return { ...schema, title: 'chat-conformance configuration' };
}
