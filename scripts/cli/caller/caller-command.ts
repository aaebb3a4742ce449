import { maskedWords } from '../../../fixtures/credentials/secret-names.ts';
import { KEY_OF_EARLIER_SCENARIO } from '../../../suites/caller/idempotency-keys.ts';
import { NOTHING_SENT } from '../../../suites/caller/judge-caller.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { counted } from '../../../suites/engine/reports/display-verdict.ts';
import { printable } from '../../../suites/engine/text/printable.ts';
import { shellWord } from '../../../suites/engine/text/shell-text.ts';
import { callerEnding, lastWords } from '../../caller/caller-end.ts';
import type { PlayedScenario } from '../../caller/play-scenario.ts';
import { callerScenarioNames } from '../../caller/scenarios.ts';
import { StartError, startCommand } from '../../caller/start-command.ts';
import { tryCaller } from '../../caller/try-caller.ts';
import type { CallerFlags } from '../options/command-tables.ts';
import { withFailOn } from '../options/fail-on.ts';
import { invocation } from '../reports/again-command.ts';
import { giveReports } from '../reports/save-reports.ts';
import { EXIT, UsageError, interruptible } from '../terminal/exit.ts';
import { noteLine, writeLine } from '../terminal/output.ts';
import { resolveCallerOptions, type CallerOptions } from './caller-options.ts';

/** The words up to the first option: those after it may hold a secret. */
function nameOf({ program, args }: CallerOptions['command']): string {
  const option = args.findIndex((word) => word.startsWith('-'));
  return [program, ...args.slice(0, option === -1 ? args.length : option)].join(' ');
}

/** How a scenario ended and, where the command failed, the last lines that it wrote to stderr. */
function noteEnd({ timeline: { scenario, end, requests } }: PlayedScenario): void {
  noteLine(`${scenario}: ${counted(requests.length, 'request')}, ${callerEnding(end)}`);
  for (const line of lastWords(end)) noteLine(`  | ${printable(line, 200)}`);
}

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
function rerunCallerCommand(options: CallerOptions, summary: Summary, checkId: string): string {
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

async function tried(options: CallerOptions, signal: AbortSignal): Promise<number> {
  const found = await tryCaller({
    ...options,
    name: nameOf(options.command),
    start: startCommand({ ...options.command, signal }),
    signal,
    onPlayed: (played) => options.quiet || noteEnd(played),
  });
  const summary = withFailOn(found, options.failOn);
  const { report, quiet, show: scenarios } = options;
  const rerunCommand = (checkId: string): string => rerunCallerCommand(options, summary, checkId);
  const code = await giveReports(summary, { report, quiet, scenarios, rerunCommand });
  if (summary.checks.every(({ reason }) => reason === NOTHING_SENT))
    writeLine('No request arrived: does the command use CHAT_BASE_URL or OPENAI_BASE_URL?');
  return signal.aborted ? EXIT.interrupted : code;
}

/**
 * `chat-conformance caller -- COMMAND ARGS…`: plays the scenarios with the command, reports, and sets the exit code.
 * @throws {UsageError} Before anything is started, and if the command cannot be started.
 */
export async function runCallerCommand(flags: CallerFlags, words: readonly string[]): Promise<void> {
  const options = resolveCallerOptions(flags, words);
  if (!options.quiet) noteLine(`seed ${options.seed}`);
  const { signal, release } = interruptible(() =>
    noteLine('\nStopping the caller; press Ctrl-C again to stop at once.'),
  );
  try {
    process.exitCode = await tried(options, signal);
  } catch (error) {
    throw error instanceof StartError ? new UsageError(error.message) : error;
  } finally {
    release();
  }
}
