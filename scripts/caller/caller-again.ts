import type { Summary } from '../../suites/kit/summary.ts';
import { invocation } from '../again-command.ts';
import { quoted } from '../quoted.ts';
import type { CallerPlan } from './caller-plan.ts';
import { maskedWords } from './masked-words.ts';
import { REAL } from './patience.ts';

/** The scenario in which a check failed first. */
function scenarioOf({ checks }: Summary, checkId: string): string | undefined {
  const [evidence] = checks.find(({ id }) => id === checkId)?.evidence ?? [];
  return evidence?.exchange.id.split('#', 1)[0];
}

/** The command that plays again the scenario in which a check failed; its secrets are for the reader to put back. */
export function callerAgain(plan: CallerPlan, summary: Summary, checkId: string): string {
  const { program, args, names } = plan.command;
  const scenario = scenarioOf(summary, checkId);
  const options = [
    ...(scenario === undefined ? [] : ['--scenario', scenario]),
    '--seed',
    String(plan.seed),
    ...(plan.patience === REAL ? ['--real-time'] : []),
    ...names.baseUrl.flatMap((name) => ['--env-base-url', name]),
    ...names.apiKey.flatMap((name) => ['--env-key', name]),
  ];
  return [invocation(), 'caller', ...options, '--', ...maskedWords([program, ...args]).map(quoted)].join(' ');
}
