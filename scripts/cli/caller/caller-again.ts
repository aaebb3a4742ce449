import { callerScenarioNames } from '../../caller/scenarios/caller-scenarios.ts';
import { KEY_OF_EARLIER_SCENARIO } from '../../../suites/caller/fresh-key-per-request.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { invocation } from '../reports/rerun-command.ts';
import { quoted } from '../terminal/quoted.ts';
import type { CallerOptions } from './caller-options.ts';
import { maskedWords } from './masked-words.ts';
import { REAL_TIMEOUTS } from '../../caller/timeouts.ts';

/** The scenario in which a check failed first, or all that were played where one alone does not show it. */
function scenariosOf({ scenarios }: CallerOptions, { checks }: Summary, checkId: string): readonly string[] {
  const [evidence] = checks.find(({ id }) => id === checkId)?.evidence ?? [];
  if (evidence === undefined || evidence.finding.code === KEY_OF_EARLIER_SCENARIO) return scenarios;
  return evidence.exchange.id.split('#', 1);
}

/** The command that plays again the scenario in which a check failed; its secrets are for the reader to put back. */
export function callerAgain(plan: CallerOptions, summary: Summary, checkId: string): string {
  const { program, args, names } = plan.command;
  const scenarios = scenariosOf(plan, summary, checkId);
  const options = [
    ...(scenarios.length === callerScenarioNames().length ? [] : ['--scenario', scenarios.join(',')]),
    '--seed',
    String(plan.seed),
    ...(plan.patience === REAL_TIMEOUTS ? ['--real-time'] : []),
    ...names.baseUrl.flatMap((name) => ['--env-base-url', name]),
    ...names.apiKey.flatMap((name) => ['--env-key', name]),
  ];
  return [invocation(), 'caller', ...options, '--', ...maskedWords([program, ...args]).map(quoted)].join(' ');
}
