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
import { scenariosFor } from '../../caller/scenarios.ts';
import { serveAndDrive } from '../../caller/serve-and-drive.ts';
import { type CallerLimits, startCommand } from '../../caller/start-command.ts';
import { REAL_TIMEOUTS, tryCaller } from '../../caller/try-caller.ts';
import { CALLER_OPTIONS, type CallerFlags } from '../options/command-tables.ts';
import { LARGEST_SEED } from '../options/kinds.ts';
import { givenWords } from '../reports/again-command.ts';
import { giveReports } from '../reports/give-reports.ts';
import { makeReportFolder } from '../reports/report-folder.ts';
import { invocation } from '../terminal/own-package.ts';
import { EXIT, UsageError, interruptible, noteLine, writeLine } from '../terminal/terminal.ts';

/** Enough for a slow start, and for the rate limit scenario with one request at a time. */
const DEADLINE_S = 30;

/** What the flags and the words after `--` ask for. The folder of the reports exists and is writable. */
function callerOptions(flags: CallerFlags, words: readonly string[]) {
  const caller = givenCaller(flags, words);
  const playable = scenariosFor(caller.kind);
  const scenarios = [...new Set(flags.scenario ?? playable)];
  const unplayable = scenarios.find((name) => !playable.includes(name));
  if (unplayable !== undefined) throw new UsageError(`--scenario ${unplayable} requires --serve`);
  const names = { baseUrl: flags.envBaseUrl ?? [], apiKey: flags.envKey ?? [], model: flags.envModel ?? [] };
  const isRealTime = flags.realTime === true;
  const deadlineMs = (flags.deadline ?? DEADLINE_S) * 1000 + (isRealTime ? REAL_TIMEOUTS.answerAfterMs : 0);
  if (flags.report !== undefined) makeReportFolder(flags.report);
  const seed = flags.seed ?? randomInt(LARGEST_SEED);
  const isAll = scenarios.length === playable.length;
  return { ...flags, caller, scenarios, isAll, seed, isRealTime, limits: { deadlineMs, names } };
}

/** What is judged: a command that ends by itself, or a server and what drives it. `words`: how to say so again, without secrets. */
function givenCaller({ serve, drive, ready }: CallerFlags, [program = '', ...args]: readonly string[]) {
  if (serve !== undefined && drive !== undefined && program === '') {
    const given = ['--serve', serve, '--drive', drive, ...(ready === undefined ? [] : ['--ready', ready])];
    const words = given.map((line) => shellWord(maskedWords(line.split(' ')).join(' ')));
    const start = (limits: CallerLimits) => serveAndDrive({ serve, drive, ready, ...limits });
    return { kind: 'server' as const, words, start };
  }
  if ([serve, drive, ready].some((each) => each !== undefined))
    throw new UsageError('--serve and --drive require each other, instead of COMMAND; --ready requires both');
  if (program === '')
    throw new UsageError(`a command is required: ${invocation()} caller [options] -- COMMAND ARGS…`);
  const words = ['--', ...maskedWords([program, ...args]).map(shellWord)];
  const start = (limits: CallerLimits) => startCommand([program, ...args], limits);
  return { kind: 'command' as const, words, start };
}

type CallerOptions = ReturnType<typeof callerOptions>;

/**
 * The command that plays again the first scenario in which a check failed, or all that were played if one alone does not
 * show the failure. Secrets are masked: the user fills them in.
 */
function rerunCallerCommand(options: CallerOptions, { evidence: [first] }: CheckResult): string {
  const { caller, isAll } = options;
  const isShownByOne = first !== undefined && first.finding.code !== KEY_OF_EARLIER_SCENARIO;
  const one = first?.exchange.id.split('#', 1) ?? [];
  // What a server is asked for shows in plain use.
  const enough = caller.kind === 'server' ? [...new Set(['plain-use', ...one])] : one;
  const scenarios = isShownByOne ? enough : options.scenarios;
  const { scenario, seed, deadline, concurrency, realTime, envBaseUrl, envKey, envModel } = CALLER_OPTIONS;
  const repeated = { scenario, seed, deadline, concurrency, realTime, envBaseUrl, envKey, envModel };
  const said = givenWords(repeated, { ...options, scenario: isAll && !isShownByOne ? undefined : scenarios });
  return [invocation(), 'caller', ...said, ...caller.words].join(' ');
}

/** Says how a scenario ended and, where the command failed, the last lines that it wrote to stderr. */
function noteEnd({ scenario, end, requests }: Timeline): void {
  noteLine(`${scenario}: ${counted(requests.length, 'request')}, ${callerEnding(end)}`);
  for (const line of lastWords(end)) noteLine(`  | ${printable(line, 200)}`);
}

async function tried(options: CallerOptions, signal: AbortSignal): Promise<number> {
  const { caller, seed, isRealTime } = options;
  if (options.quiet !== true) noteLine(`seed ${seed}`);
  const found = await tryCaller({
    // With secrets masked, as in the `again` line. A whole script may stand in it.
    name: printable(caller.words.join(' ').replace(/^-- /, ''), 100),
    scenarios: options.scenarios,
    seed,
    concurrency: options.concurrency,
    isRealTime,
    start: caller.start({ ...options.limits, signal }),
    signal,
    ...(options.quiet !== true && { onPlayed: noteEnd }),
  });
  const checks = found.checks.map((result) =>
    result.evidence.length === 0 ? result : { ...result, again: rerunCallerCommand(options, result) },
  );
  const { report, failOn, quiet, timeline = false, verbose: verdicts = false } = options;
  const reporting = { report, failOn, quiet, scenarios: { timeline, verdicts } };
  const { code } = await giveReports({ ...found, checks }, reporting);
  if (checks.every(({ reason }) => reason === NOTHING_SENT)) {
    const ends = new Set(found.scenarios?.map(({ end }) => end));
    const isBroken = [...ends].every((end) => /^exit code [1-9]\d*$/.test(end));
    const asked = 'No request arrived: does the command use CHAT_BASE_URL or OPENAI_BASE_URL?';
    writeLine(isBroken ? `The command ended with ${[...ends].join(', ')} before any request` : asked);
  }
  return signal.aborted ? EXIT.interrupted : code;
}

/**
 * `chat-conformance caller -- COMMAND ARGS…`, or `--serve` and `--drive`: plays the scenarios with the command, reports, and sets the exit code.
 * @throws {UsageError} Before anything is started.
 * @throws {FileError} If the command cannot be started.
 */
export async function runCallerCommand(flags: CallerFlags, words: readonly string[]): Promise<void> {
  const options = callerOptions(flags, words);
  process.exitCode = await interruptible('Stopping the caller', (signal) => tried(options, signal));
}
