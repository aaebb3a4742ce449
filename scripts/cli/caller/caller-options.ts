import { randomInt } from 'node:crypto';
import type { ScenarioDetail } from '../../../suites/engine/reports/terminal/terminal-report.ts';
import { didYouMean } from '../../../suites/engine/text/did-you-mean.ts';
import { REAL_TIMEOUTS } from '../../caller/play-scenario.ts';
import {
  callerScenarioNames,
  type CallerScenarioName,
  isCallerScenarioName,
} from '../../caller/scenarios.ts';
import type { CallerCommand } from '../../caller/start-command.ts';
import type { Stricter } from '../options/check-flags.ts';
import type { CallerFlags } from '../options/command-tables.ts';
import { LARGEST_SEED } from '../options/run-table.ts';
import { prepareReportFolder } from '../reports/save-reports.ts';
import { UsageError } from '../terminal/exit.ts';

export interface CallerOptions {
  readonly scenarios: readonly CallerScenarioName[];
  readonly seed: number;
  /** Whether held answers are held for longer than 120 s. */
  readonly isRealTime: boolean;
  readonly command: Omit<CallerCommand, 'signal'>;
  /** The folder of the reports; it exists and is writable. */
  readonly report: string | undefined;
  readonly quiet: boolean;
  readonly failOn: ReadonlySet<Stricter>;
  /** What is printed of each scenario. */
  readonly show: ScenarioDetail;
}

/** Enough for a slow start, and for the rate limit scenario with one request at a time. */
const DEADLINE_S = 30;

function scenarioNamed(word: string): CallerScenarioName {
  if (isCallerScenarioName(word)) return word;
  const known = callerScenarioNames();
  const hint = didYouMean(word, known) || `: there are ${known.join(', ')}`;
  throw new UsageError(`no scenario is called "${word}"${hint}`);
}

function variableNamed(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw new UsageError(`${JSON.stringify(name)} is not a valid name of an environment variable`);
}

/**
 * Resolves the flags and the words after `--`.
 * @throws {UsageError} Given an unknown scenario, an invalid variable name, or a folder that cannot be written.
 */
export function resolveCallerOptions(flags: CallerFlags, words: readonly string[]): CallerOptions {
  const [program, ...args] = words;
  if (program === undefined || program === '')
    throw new UsageError('a command is required: chat-conformance caller [options] -- COMMAND ARGS…');
  const scenarios = flags.scenario?.map(scenarioNamed) ?? callerScenarioNames();
  const names = {
    baseUrl: (flags.envBaseUrl ?? []).map(variableNamed),
    apiKey: (flags.envKey ?? []).map(variableNamed),
    model: (flags.envModel ?? []).map(variableNamed),
  };
  const isRealTime = flags.realTime === true;
  const deadlineMs = (flags.deadline ?? DEADLINE_S) * 1000 + (isRealTime ? REAL_TIMEOUTS.answerAfterMs : 0);
  if (flags.report !== undefined) prepareReportFolder(flags.report);
  return {
    scenarios: [...new Set(scenarios)],
    seed: flags.seed ?? randomInt(LARGEST_SEED),
    isRealTime,
    command: { program, args, deadlineMs, names },
    report: flags.report,
    quiet: flags.quiet === true,
    failOn: new Set(flags.failOn),
    show: { timeline: flags.timeline === true, verdicts: flags.verbose === true },
  };
}
