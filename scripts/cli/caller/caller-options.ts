import { randomInt } from 'node:crypto';
import {
  callerScenarioNames,
  type CallerScenarioName,
  isCallerScenarioName,
} from '../../caller/scenarios/caller-scenarios.ts';
import { didYouMean } from '../../../suites/kit/files/did-you-mean.ts';
import { LARGEST_SEED } from '../options/check-flags.ts';
import { prepareReportFolder } from '../reports/save-reports.ts';
import { UsageError } from '../terminal/usage-error.ts';
import type { CallerFlags } from './caller-flags.ts';
import { type Timeouts, REAL_TIMEOUTS, SHORT_TIMEOUTS } from '../../caller/timeouts.ts';
import type { CallerCommand } from '../../caller/start-command.ts';

/** A trial whose every input has been found good. */
export interface CallerOptions {
  readonly scenarios: readonly CallerScenarioName[];
  readonly seed: number;
  readonly patience: Timeouts;
  readonly command: Omit<CallerCommand, 'signal'>;
  /** The folder the reports go to; it is there and can be written. */
  readonly report: string | undefined;
  readonly quiet: boolean;
}

/** Enough for a slow start, and for the rate limit scenario one request at a time. */
const DEADLINE_S = 30;

function scenarioNamed(word: string): CallerScenarioName {
  if (isCallerScenarioName(word)) return word;
  throw new UsageError(`no scenario is called "${word}"${didYouMean(word, callerScenarioNames())}`);
}

function variableNamed(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw new UsageError(`${JSON.stringify(name)} is no name of an environment variable`);
}

/**
 * What the options and the words after `--` amount to.
 * @throws {UsageError} For a scenario, a variable or a folder that cannot be.
 */
export function resolveCallerOptions(flags: CallerFlags, words: readonly string[]): CallerOptions {
  const [program, ...args] = words;
  if (program === undefined || program === '')
    throw new UsageError('a command is needed: chat-conformance caller [options] -- COMMAND ARGS…');
  const scenarios = flags.scenario?.map(scenarioNamed) ?? callerScenarioNames();
  const names = {
    baseUrl: (flags.envBaseUrl ?? []).map(variableNamed),
    apiKey: (flags.envKey ?? []).map(variableNamed),
  };
  const patience = flags.realTime === true ? REAL_TIMEOUTS : SHORT_TIMEOUTS;
  const deadlineMs =
    (flags.deadline ?? DEADLINE_S) * 1000 + (flags.realTime === true ? REAL_TIMEOUTS.answerAfterMs : 0);
  if (flags.report !== undefined) prepareReportFolder(flags.report);
  return {
    scenarios: [...new Set(scenarios)],
    seed: flags.seed ?? randomInt(LARGEST_SEED),
    patience,
    command: { program, args, deadlineMs, names },
    report: flags.report,
    quiet: flags.quiet === true,
  };
}
