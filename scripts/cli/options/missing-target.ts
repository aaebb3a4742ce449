import { KEY_NAMES } from '../../../suites/kit/model/exchange.ts';
import { UsageError } from '../terminal/exit.ts';
import type { CheckFlags } from './check-flags.ts';
import { secretSource } from './read-secret.ts';

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
  const key = keyGiven(flags, environment);
  if (mock === undefined && targets.length === 0 && key === undefined) return;
  const ways = [...targets.map((name) => `--target ${name}`), '--base-url URL'].join(' or ');
  const problem = key === undefined ? '' : `${key}, but `;
  throw new UsageError(`${problem}no target is named: pass ${ways}; --mock checks the bundled mock`);
}

/** What says that a key of a service is there, or should be: a variable may be empty. */
function keyGiven(flags: CheckFlags, environment: Environment): string | undefined {
  const sources = ([...KEY_NAMES, 'control'] as const).map((name) => ({
    ...secretSource(flags, name),
    isConfigured: flags.secrets?.[name] !== undefined,
  }));
  const given = sources.find(
    ({ from, isConfigured }) => isConfigured || 'file' in from || environment[from.env] !== undefined,
  );
  return given && `${given.said} is ${'file' in given.from ? 'given' : 'set'}`;
}
