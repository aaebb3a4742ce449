import { randomInt } from 'node:crypto';
import { maskedWords } from '../../../fixtures/credentials/secret-names.ts';
import { KEY_OF_EARLIER_SCENARIO } from '../../../suites/caller/idempotency-keys.ts';
import { NOTHING_SENT } from '../../../suites/caller/judge-caller.ts';
import type { Timeline } from '../../../suites/caller/timeline.ts';
import type { CheckResult } from '../../../suites/engine/model/summary.ts';
import { counted } from '../../../suites/engine/reports/display-verdict.ts';
import { printable } from '../../../suites/engine/text/printable.ts';
import { shellWord } from '../../../suites/engine/text/shell-text.ts';
import { callerEnding, lastWords } from '../../caller/caller-summary.ts';
import { callerScenarioNames } from '../../caller/scenarios.ts';
import { startCommand } from '../../caller/start-command.ts';
import { REAL_TIMEOUTS, tryCaller } from '../../caller/try-caller.ts';
import { CALLER_OPTIONS, type CallerFlags } from '../options/command-tables.ts';
import { LARGEST_SEED } from '../options/kinds.ts';
import { givenWords, invocation } from '../reports/again-command.ts';
import { giveReports } from '../reports/give-reports.ts';
import { makeReportFolder } from '../reports/report-folder.ts';
import { EXIT, UsageError, interruptible, noteLine, writeLine } from '../terminal/terminal.ts';

/** Enough for a slow start, and for the rate limit scenario with one request at a time. */
const DEADLINE_S = 30;

/** What the flags and the words after `--` ask for. The folder of the reports exists and is writable. */
function callerOptions(flags: CallerFlags, [program = '', ...args]: readonly string[]) {
  if (program === '')
    throw new UsageError('a command is required: chat-conformance caller [options] -- COMMAND ARGS…');
  const scenarios = [...new Set(flags.scenario ?? callerScenarioNames())];
  const names = { baseUrl: flags.envBaseUrl ?? [], apiKey: flags.envKey ?? [], model: flags.envModel ?? [] };
  const isRealTime = flags.realTime === true;
  const deadlineMs = (flags.deadline ?? DEADLINE_S) * 1000 + (isRealTime ? REAL_TIMEOUTS.answerAfterMs : 0);
  if (flags.report !== undefined) makeReportFolder(flags.report);
  const seed = flags.seed ?? randomInt(LARGEST_SEED);
  return { ...flags, scenarios, seed, isRealTime, command: { program, args, deadlineMs, names } };
}

type CallerOptions = ReturnType<typeof callerOptions>;

/** The words up to the first option: those after it may hold a secret. */
function nameOf({ program, args }: CallerOptions['command']): string {
  return `${[program, ...args].join(' ')} -`.split(' -', 1).join();
}

/**
 * The command that plays again the first scenario in which a check failed, or all that were played if one alone does not
 * show the failure. Secrets are masked: the user fills them in.
 */
function rerunCallerCommand(options: CallerOptions, { evidence: [first] }: CheckResult): string {
  const { program, args } = options.command;
  const isShownByOne = first !== undefined && first.finding.code !== KEY_OF_EARLIER_SCENARIO;
  const scenarios = isShownByOne ? first.exchange.id.split('#', 1) : options.scenarios;
  const isAll = scenarios.length === callerScenarioNames().length;
  const { scenario, seed, deadline, concurrency, realTime, envBaseUrl, envKey, envModel } = CALLER_OPTIONS;
  const repeated = { scenario, seed, deadline, concurrency, realTime, envBaseUrl, envKey, envModel };
  const given = givenWords(repeated, { ...options, scenario: isAll ? undefined : scenarios });
  const command = maskedWords([program, ...args]).map(shellWord);
  return [invocation(), 'caller', ...given, '--', ...command].join(' ');
}

/** Says how a scenario ended and, where the command failed, the last lines that it wrote to stderr. */
function noteEnd({ scenario, end, requests }: Timeline): void {
  noteLine(`${scenario}: ${counted(requests.length, 'request')}, ${callerEnding(end)}`);
  for (const line of lastWords(end)) noteLine(`  | ${printable(line, 200)}`);
}

async function tried(options: CallerOptions, signal: AbortSignal): Promise<number> {
  const { command, seed, isRealTime } = options;
  if (options.quiet !== true) noteLine(`seed ${seed}`);
  const found = await tryCaller({
    name: nameOf(command),
    scenarios: options.scenarios,
    seed,
    concurrency: options.concurrency,
    isRealTime,
    start: startCommand({ ...command, signal }),
    signal,
    ...(options.quiet !== true && { onPlayed: noteEnd }),
  });
  const checks = found.checks.map((result) =>
    result.evidence.length === 0 ? result : { ...result, again: rerunCallerCommand(options, result) },
  );
  const { report, failOn, quiet, timeline = false, verbose: verdicts = false } = options;
  const reporting = { report, failOn, quiet, scenarios: { timeline, verdicts } };
  const { code } = await giveReports({ ...found, checks }, reporting);
  if (checks.every(({ reason }) => reason === NOTHING_SENT))
    writeLine('No request arrived: does the command use CHAT_BASE_URL or OPENAI_BASE_URL?');
  return signal.aborted ? EXIT.interrupted : code;
}

/**
 * `chat-conformance caller -- COMMAND ARGS…`: plays the scenarios with the command, reports, and sets the exit code.
 * @throws {UsageError} Before anything is started.
 * @throws {FileError} If the command cannot be started.
 */
export async function runCallerCommand(flags: CallerFlags, words: readonly string[]): Promise<void> {
  const options = callerOptions(flags, words);
  process.exitCode = await interruptible('Stopping the caller', (signal) => tried(options, signal));
}
