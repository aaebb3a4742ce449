import { KEY_OF_EARLIER_SCENARIO } from '../../../suites/caller/idempotency-keys.ts';
import { shellWord } from '../../../suites/kit/evidence/shell-text.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { callerScenarioNames } from '../../caller/scenarios.ts';
import { invocation } from '../reports/again-command.ts';
import type { CallerOptions } from './caller-options.ts';

/** The first scenario in which a check failed; all that were played if one alone does not show the failure. */
function failedScenarios(
  { scenarios }: CallerOptions,
  { checks }: Summary,
  checkId: string,
): readonly string[] {
  const [evidence] = checks.find(({ id }) => id === checkId)?.evidence ?? [];
  if (evidence === undefined || evidence.finding.code === KEY_OF_EARLIER_SCENARIO) return scenarios;
  return evidence.exchange.id.split('#', 1);
}

/** The command that plays the scenario of a failure again. Secrets are masked: the user fills them in. */
export function rerunCallerCommand(options: CallerOptions, summary: Summary, checkId: string): string {
  const { program, args, names } = options.command;
  const scenarios = failedScenarios(options, summary, checkId);
  const flags = [
    ...(scenarios.length === callerScenarioNames().length ? [] : ['--scenario', scenarios.join(',')]),
    '--seed',
    String(options.seed),
    ...(options.isRealTime ? ['--real-time'] : []),
    ...(names.baseUrl ?? []).flatMap((name) => ['--env-base-url', name]),
    ...(names.apiKey ?? []).flatMap((name) => ['--env-key', name]),
    ...(names.model ?? []).flatMap((name) => ['--env-model', name]),
  ];
  return [invocation(), 'caller', ...flags, '--', ...maskedWords([program, ...args]).map(shellWord)].join(
    ' ',
  );
}

/** How the names of options and variables end that hold a secret. */
const SECRET_NAME = /(?:key|token|secret|password|passwd|credentials?|auth|authorization|bearer)$/i;

/** Prefixes of the keys of common services, and bearer tokens. */
const SECRET =
  /\b(?:sk|pk|rk|gh[opsu]|xox[abp]|glpat|mock)[-_][\w-]{8,}|\bAKIA\w{12,}|\b(bearer\s+)[^\s'"]+/gi;

const MASK = '…';

/** The words of a command line with a mask for each one that looks like a secret, or follows a name that does. */
export function maskedWords(words: readonly string[]): readonly string[] {
  return words.map((word, index) => {
    const before = words[index - 1] ?? '';
    if (before.startsWith('-') && SECRET_NAME.test(before) && !word.startsWith('-')) return MASK;
    const [name = '', ...value] = word.split('=');
    if (value.length > 0 && /^[\w-]+$/.test(name) && SECRET_NAME.test(name)) return `${name}=${MASK}`;
    return word.replaceAll(SECRET, `$1${MASK}`);
  });
}
