import { dirname, extname, resolve } from 'node:path';
import { types } from 'node:util';
import { z } from 'zod';
import { didYouMean } from '../../../fixtures/words/did-you-mean.ts';
import { childPointer, valueAt } from '../../../suites/engine/reading/json.ts';
import { FileError, readJsonFile, validated } from '../../../suites/engine/text/read-json-file.ts';
import { importModule, shownPath } from '../modules/import-module.ts';
import { ABOUT_SERVICE, type CheckFlags, CHECK_OPTIONS } from '../options/check-table.ts';
import { settingRows } from '../options/option.ts';
import { UsageError } from '../terminal/terminal.ts';

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
  const schemas = settingRows(CHECK_OPTIONS).map(({ place, schema, says }) => {
    const sentence = `${says.charAt(0).toUpperCase()}${says.slice(1)}.`;
    return [place, schema(z).describe(sentence).exactOptional()] as const;
  });
  const groups = Object.entries(GROUPS).map(([group, says]) => {
    const members = schemas.filter(([place]) => place.startsWith(`${group}.`));
    const own = members.map(([place, schema]) => [place.slice(group.length + 1), schema]);
    return [group, z.strictObject(Object.fromEntries(own)).describe(says).exactOptional()];
  });
  return Object.fromEntries([...schemas.filter(([place]) => !place.includes('.')), ...groups]);
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema that is made of a table forgets what it makes
const configurationSchema = z
  .strictObject({
    $schema: z.string().exactOptional().describe('Where this schema is, for editors.'),
    default: z
      .string()
      .exactOptional()
      .describe('The target if a command names none; a single target needs no default.'),
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

export interface Found {
  readonly name: string;
  readonly value: unknown;
  /** A flag, a variable, a place such as `chat-conformance.config.json#/targets/staging/tier`, or `default`. */
  readonly from: string;
}

/** What a configuration file adds to the given flags: what its target says stands after what the top of the file says. */
export async function readConfiguration(file: string, given: CheckFlags) {
  const shown = shownPath(file);
  const folder = dirname(file);
  const configuration = await checkedConfiguration(file, shown);
  const { targets = {}, ...top } = configuration;
  const names = Object.keys(targets);
  const whole = settingsIn(top, `${shown}#`, folder).filter(
    ({ name }) => given.mock !== true || (name !== 'baseUrl' && !(name in ABOUT_SERVICE)),
  );
  const target = targetOf(given, configuration);
  if (target === undefined) return { found: whole, targets: names, folder };
  const own = Object.hasOwn(targets, target) ? targets[target] : undefined;
  if (own === undefined) {
    const known = names.length === 0 ? 'it names none' : `its targets are ${names.join(', ')}`;
    const has = target === configuration.default ? '#/default: there is' : ' has';
    throw new UsageError(`${shown}${has} no target "${target}" (${known})${didYouMean(target, names)}`);
  }
  const place = `${shown}#${childPointer('/targets', target)}`;
  const named = { name: 'target', value: target, from: place };
  return { found: [...whole, ...settingsIn(own, place, folder), named], place, targets: names, folder };
}

/** The target that is meant: the named one, or else the default, or the only one. A base URL names none of them. */
function targetOf(
  { target, baseUrl, mock }: CheckFlags,
  { default: usual, baseUrl: topBaseUrl, targets = {} }: Configuration,
): string | undefined {
  if ((target ?? baseUrl) !== undefined || mock === true) return target;
  const [only, ...others] = Object.keys(targets);
  return usual ?? (topBaseUrl === undefined && others.length === 0 ? only : undefined);
}

/** The settings at a place of the file, as values of their options; paths are relative to its folder. */
function settingsIn(said: Settings, at: string, folder: string): readonly Found[] {
  const inFolder = (path: string): string => shownPath(resolve(folder, path));
  return settingRows(CHECK_OPTIONS).flatMap(({ name, place, ofSetting }) => {
    const pointer = `/${place.replace('.', '/')}`;
    const value = valueAt(said, pointer);
    if (value === undefined) return [];
    const from = at + pointer;
    return [{ name, value: ofSetting?.(value, { place: from, inFolder }) ?? value, from }];
  });
}

async function checkedConfiguration(file: string, shown: string): Promise<Configuration> {
  if (extname(file) === '.json') return readJsonFile(shown, 'configuration', configurationSchema);
  const { default: exported } = await importModule(file);
  if (exported === undefined)
    throw new FileError(`${shown} has no default export: export default defineConfig({ … })`);
  if (types.isPromise(exported))
    throw new FileError(`${shown} exports a promise: write export default await …`);
  return validated(exported, shown, 'configuration', configurationSchema);
}
