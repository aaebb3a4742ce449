import { type CheckFlags, CHECK_OPTIONS } from '../options/check-table.ts';
import { UsageError } from '../terminal/exit.ts';
import { findConfiguration } from './find-configuration.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Flags with what the environment and a configuration add, and where each added one stands. */
export interface ConfiguredFlags {
  readonly flags: CheckFlags;
  /** `chat-conformance.config.json#/targets/staging/tier` or `CHAT_BASE_URL`, by flag. */
  readonly origins: Readonly<Record<string, string>>;
}

/**
 * Adds to the flags what the environment and the configuration say: flags first, then variables, then the target, then the
 * top of the file. What reads it is loaded only where there is one.
 * @throws {UsageError | FileError} Where the file or the target cannot be used.
 */
export async function applyConfiguration(
  onCommandLine: CheckFlags,
  environment: Environment = process.env,
): Promise<ConfiguredFlags> {
  const { flags: given, variables } = withVariables(onCommandLine, environment);
  const { flags, origins } = await configured(given);
  return {
    flags: { ...flags, places: { ...flags.places, ...variables } },
    origins: { ...origins, ...variables },
  };
}

/** The options of the target that variables stand for. */
const VARIABLES = ['target', 'baseUrl', 'controlUrl'] as const;

/** Flags with what the environment adds, and the variable of each added one. */
interface WithVariables {
  readonly flags: CheckFlags;
  readonly variables: Readonly<Partial<Record<(typeof VARIABLES)[number], string>>>;
}

/**
 * Adds what the environment says of the target, unless the command line names one. A variable that is set to nothing is
 * kept: it was to name a target.
 */
function withVariables(given: CheckFlags, environment: Environment): WithVariables {
  const config = given.config ?? environment[CHECK_OPTIONS.config.variable];
  const flags = { ...given, ...(config !== undefined && { config }) };
  if ((given.target ?? given.baseUrl) !== undefined || given.mock === true) return { flags, variables: {} };
  const set = VARIABLES.map((name) => [name, CHECK_OPTIONS[name].variable] as const).filter(
    ([, variable]) => environment[variable] !== undefined,
  );
  const values = set.map(([name, variable]) => [name, environment[variable]]);
  return { flags: { ...flags, ...Object.fromEntries(values) }, variables: Object.fromEntries(set) };
}

async function configured(given: CheckFlags): Promise<ConfiguredFlags> {
  const { config, target } = given;
  if (target?.trim() === '')
    throw new UsageError('--target (or CHAT_TARGET) is empty: it must name a target');
  const file = config === false ? undefined : findConfiguration(process.cwd(), config);
  if (file !== undefined) return (await import('./configured-flags.ts')).configuredFlags(given, file);
  if (target === undefined) return { flags: given, origins: {} };
  throw new UsageError(
    `--target ${target}: there is no configuration file here or above; see chat-conformance init`,
  );
}
