import { z } from 'zod';
import { CHECK_OPTIONS } from '../options/check-table.ts';
import { settingRows } from '../options/option.ts';

type Rows = typeof CHECK_OPTIONS;

type PlaceOf<Name extends keyof Rows> = Rows[Name] extends { readonly setting: infer Place }
  ? Place extends string
    ? Place
    : Name
  : never;

/** The settings of the table, by their places: `caps.requests`. */
type Placed = {
  readonly [Name in keyof Rows as PlaceOf<Name>]?: Rows[Name]['kind'] extends {
    schema(...given: never): infer Schema extends z.ZodType;
  }
    ? z.infer<Schema>
    : never;
};

type Members<Group extends string> = {
  readonly [
    Place in keyof Placed as Place extends `${Group}.${infer Member}` ? Member : never
  ]: Placed[Place];
};

/** What a configuration says of all targets, or of one. */
export type Settings = {
  readonly [Place in keyof Placed as Place extends `${string}.${string}` ? never : Place]: Placed[Place];
} & { readonly [Group in keyof typeof GROUPS]?: Members<Group> };

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

/** What can stand at the top, for every target, or in each target: the settings of the table, each of which may be absent. */
function settings(): Readonly<Record<string, z.ZodExactOptional>> {
  const schemas = settingRows(CHECK_OPTIONS).map(({ place, kind, says }) => {
    const sentence = `${says.charAt(0).toUpperCase()}${says.slice(1)}.`;
    return [place, kind.schema(z).describe(sentence).exactOptional()] as const;
  });
  const groups = Object.entries(GROUPS).map(([group, says]) => {
    const members = schemas.filter(([place]) => place.startsWith(`${group}.`));
    const own = members.map(([place, schema]) => [place.slice(group.length + 1), schema]);
    return [group, z.strictObject(Object.fromEntries(own)).describe(says).exactOptional()];
  });
  return Object.fromEntries([...schemas.filter(([place]) => !place.includes('.')), ...groups]);
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema that is made of a table forgets what it makes
export const configurationSchema = z
  .strictObject({
    $schema: z.string().exactOptional().describe('Where this schema is, for editors.'),
    default: z
      .string()
      .exactOptional()
      .describe('Target of a command that names none; one that is alone needs no default.'),
    ...settings(),
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
