import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { usualFlags, type CheckFlags, CHECK_OPTIONS, type ResolvedFlags } from '../options/check-table.ts';
import { longFlag } from '../options/option.ts';
import { isSecretOption } from '../options/secrets.ts';
import { invocation } from '../terminal/own-package.ts';
import { UsageError } from '../terminal/terminal.ts';
import type { Found } from './configuration.ts';

/**
 * Every option from the first place that has it: the command line, a variable, the target of the configuration, the top of
 * the file, the usual values. What reads a configuration is loaded only where there is one.
 */
export async function resolveFlags(onCommandLine: CheckFlags): Promise<ResolvedFlags> {
  const { header = [] } = onCommandLine;
  const twice = header.find(({ name }, i) => header.slice(0, i).some((each) => each.name === name));
  if (twice !== undefined) throw new UsageError(`${twice.said} is given twice`);
  const said = [...inVariables(onCommandLine), ...onLine(onCommandLine)];
  const given = valuesOf(said);
  const { found: configured, ...about } = await configuredFor(given);
  const values = valuesOf([...configured, ...said]);
  const usual = usualFlags(values.tier, values.baseUrl === undefined ? 'mock' : 'live');
  const defaults = Object.entries(usual).map(([name, value]) => ({ name, value, from: 'default' }));
  const places = [...defaults, ...configured, ...said].map(({ name, from }) => [name, from]);
  const flags = { ...usual, ...values, ...about, given, origins: Object.fromEntries(places) };
  rejectContradictions(flags);
  return flags;
}

/** What can be said only of one target. */
const OF_ONE_TARGET: ReadonlySet<string> = new Set(
  'baseUrl controlUrl start watch writeBaseline showConfig json'.split(' '),
);

/** The options of each target of a run, in the order in which `--target A,B` names them; of the only one where it names none. */
export async function resolveTargets(onCommandLine: CheckFlags): Promise<readonly ResolvedFlags[]> {
  const said = [...inVariables(onCommandLine), ...onLine(onCommandLine)];
  const names = (valuesOf(said).target ?? '').split(',').map((name) => name.trim());
  if (names.length === 1) return [await resolveFlags(onCommandLine)];
  const single = said.find(({ name }) => OF_ONE_TARGET.has(name) || isSecretOption(name));
  if (single !== undefined)
    throw new UsageError(`${single.from} needs one target: --target names ${names.length}`);
  if (new Set(names).size < names.length) throw new UsageError('--target names a target twice');
  const resolved: ResolvedFlags[] = [];
  for (const target of names) resolved.push(await resolveFlags({ ...onCommandLine, target }));
  return resolved;
}

function rejectContradictions(flags: ResolvedFlags): void {
  const { baseUrl, plan, json = false, showConfig = false, writeBaseline } = flags;
  const isWatch = flags.watch !== undefined;
  const isWrong: Readonly<Record<string, boolean>> = {
    '--mock excludes --target and --base-url: it checks the bundled mock':
      flags.mock === true && (flags.target ?? baseUrl) !== undefined,
    '--json requires --plan or --show-config: use --report for the JSON report of a run':
      json && plan === undefined && !showConfig,
    '--watch and --plan exclude each other': isWatch && plan !== undefined,
    '--watch and --write-baseline exclude each other': isWatch && writeBaseline !== undefined,
    '--tier free requests no completions: --max-completions must be 0 or 1':
      flags.tier === 'free' && flags.maxCompletions > 1,
  };
  const wrong = Object.keys(isWrong).find((line) => isWrong[line]);
  if (wrong !== undefined) throw new UsageError(wrong);
}

/** The last of each name, also of the headers. */
function valuesOf(found: readonly Found[]): CheckFlags {
  const each = found.map(({ name, value }): CheckFlags => Object.fromEntries([[name, value]]));
  const headers = each.flatMap(({ header = [] }) => header).map((header) => [header.name, header] as const);
  return { ...Object.assign({}, ...each), header: [...new Map(headers).values()] };
}

function onLine(flags: Readonly<Record<string, unknown>>): readonly Found[] {
  const rows = Object.entries(CHECK_OPTIONS).filter(([name]) => flags[name] !== undefined);
  return rows.map(([name, row]) => ({ name, value: flags[name], from: longFlag(row) }));
}

/**
 * What variables say of the target, unless the command line names one. A variable that is set to nothing is kept: it was to
 * name a target.
 */
function inVariables({ target, baseUrl, mock }: CheckFlags): readonly Found[] {
  const isNamed = (target ?? baseUrl) !== undefined || mock === true;
  const names = ['config', ...(isNamed ? [] : (['target', 'baseUrl', 'controlUrl'] as const))] as const;
  const rows = names.map((name) => ({ name, from: CHECK_OPTIONS[name].variable }));
  return rows.flatMap(({ name, from }) =>
    process.env[from] === undefined ? [] : [{ name, value: process.env[from], from }],
  );
}

async function configuredFor(given: CheckFlags) {
  const { config, target } = given;
  if (target?.trim() === '')
    throw new UsageError('--target (or CHAT_TARGET) is empty: it must name a target');
  const file = config === false ? undefined : findConfiguration(process.cwd(), config);
  if (file !== undefined) return (await import('./configuration.ts')).readConfiguration(file, given);
  if (target === undefined) return { found: [], targets: [], folder: process.cwd() };
  throw new UsageError(
    `--target ${target}: there is no configuration file here or above; see ${invocation()} init`,
  );
}

/** What a configuration is called. */
export const CONFIGURATION_NAMES = ['chat-conformance.config.ts', 'chat-conformance.config.json'] as const;

/**
 * The configuration file: the named one, or else the nearest one, from the folder upwards to the root of its repository,
 * since what lies above may be somebody else's. Undefined where there is none.
 * @throws {UsageError} Where the named one is missing, or a folder has two.
 */
export function findConfiguration(folder: string, named: string | undefined): string | undefined {
  if (named !== undefined) {
    const file = resolve(folder, named);
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return file;
    if (named.trim() === '') throw new UsageError('--config (or CHAT_CONFIG) is empty: it must name a file');
    throw new UsageError(`there is no configuration file ${named}`);
  }
  for (let place = resolve(folder); ; place = dirname(place)) {
    const [found, other] = CONFIGURATION_NAMES.map((name) => join(place, name)).filter((file) =>
      existsSync(file),
    );
    if (other !== undefined)
      throw new UsageError(`${place} holds ${CONFIGURATION_NAMES.join(' and ')}: name one with --config`);
    const isRoot = place === dirname(place) || existsSync(join(place, '.git'));
    if (found !== undefined || isRoot) return found;
  }
}
