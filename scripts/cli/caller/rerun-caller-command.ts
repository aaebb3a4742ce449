import { maskedWords } from '../../../fixtures/credentials/secret-names.ts';
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
