import { UsageError } from '../terminal/exit.ts';
import type { CheckFlags } from './check-flags.ts';
import { SECRET_NAMES, secretSource } from './read-secret.ts';
import { SECRET_OPTIONS } from './target-table.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The bundled mock is the target of a run without a base URL only where nothing names another: a gate whose target is
 * missing must not be green.
 * @throws {UsageError} Where something does, with what to write.
 */
export function rejectMissingTarget(flags: CheckFlags, environment: Environment): void {
  const { mock, target, targets = [], places } = flags;
  if (mock === true) return;
  if (target !== undefined)
    throw new UsageError(
      `the target ${target} has no base URL: write "baseUrl" at ${places?.target}, or pass --base-url`,
    );
  const secret = secretGiven(flags, environment);
  if (mock === undefined && targets.length === 0 && secret === undefined) return;
  const ways = [...targets.map((name) => `--target ${name}`), '--base-url URL'].join(' or ');
  const problem = secret === undefined ? '' : `${secret}, but `;
  throw new UsageError(`${problem}no target is named: pass ${ways}; --mock checks the bundled mock`);
}

/** What says that a secret of a service, or of the way to it, is there, or should be: a variable may be empty. */
function secretGiven(flags: CheckFlags, environment: Environment): string | undefined {
  const name = SECRET_NAMES.find(
    (each) => flags[each] !== undefined || environment[SECRET_OPTIONS[each].variable] !== undefined,
  );
  if (name === undefined) return undefined;
  const { from, said } = secretSource(flags, name);
  return `${said} is ${'file' in from ? 'given' : 'set'}`;
}
