import type { CheckFlags } from '../options/check-flags.ts';

/** The variables that stand for flags. */
const VARIABLES = [
  ['target', 'CHAT_TARGET'],
  ['baseUrl', 'CHAT_BASE_URL'],
  ['controlUrl', 'CHAT_CONTROL_URL'],
] as const satisfies readonly (readonly [keyof CheckFlags, string])[];

type Named = (typeof VARIABLES)[number][0];

/** Flags with what the environment adds, and the variable of each added one. */
interface WithVariables {
  readonly flags: CheckFlags;
  readonly variables: Readonly<Partial<Record<Named, string>>>;
}

/**
 * Adds what the environment says of the target, unless the command line names one. A variable that is set to nothing is
 * kept: it was to name a target.
 */
export function withVariables(
  given: CheckFlags,
  environment: Readonly<Record<string, string | undefined>>,
): WithVariables {
  const config = given.config ?? environment['CHAT_CONFIG'];
  const flags = { ...given, ...(config !== undefined && { config }) };
  if ((given.target ?? given.baseUrl) !== undefined || given.mock === true) return { flags, variables: {} };
  const found = VARIABLES.filter(([, variable]) => environment[variable] !== undefined);
  return {
    flags: {
      ...flags,
      ...Object.fromEntries(found.map(([name, variable]) => [name, environment[variable]])),
    },
    variables: Object.fromEntries(found),
  };
}
