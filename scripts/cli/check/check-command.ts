import { applyBaseline } from '../../../suites/engine/files/apply-baseline.ts';
import { JournalWriteError } from '../../../suites/engine/journal/write-journal.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { firstAnswerLines } from '../../../suites/engine/reports/sections.ts';
import { KeyRefused, TargetUnreachable } from '../../../suites/engine/running/first-answer.ts';
import { inFile } from '../../../suites/engine/text/read-json-file.ts';
import { resolveFlags } from '../config/resolve-flags.ts';
import { catalogueOf } from '../modules/catalogue-of.ts';
import { firstLine } from '../modules/import-module.ts';
import { writeBaseline } from '../options/baseline-options.ts';
import type { CheckFlags, ResolvedFlags } from '../options/check-table.ts';
import { withFailOn } from '../options/fail-on.ts';
import type { Catalogue } from '../options/select-checks.ts';
import { giveReports, writeJobSummary, saveReports, setAsideReports } from '../reports/save-reports.ts';
import { EXIT, interruptible } from '../terminal/exit.ts';
import { noteLine, writeLine } from '../terminal/output.ts';
import { resolveCheckOptions, type CheckOptions } from './check-options.ts';
import { type Memory, NO_MEMORY, readMemory, changesLine, onlyFailed, withLastFailed } from './memory.ts';
import { capsLines, partLines, planOf, printPlan, takeShard, targetLines } from './plan-run.ts';
import { progressOn } from './progress.ts';
import { runCheck } from './run-check.ts';
import { withService } from './with-service.ts';

async function runShown(options: CheckOptions, signal: AbortSignal): Promise<Summary> {
  if (options.quiet) return runCheck(options, { signal });
  // oxlint-disable-next-line eslint/no-restricted-properties -- its lines pass safeLines, and move the cursor themselves
  const { end, ...shown } = progressOn(process.stderr, () => planOf(options).total.requests);
  try {
    return await runCheck(options, { signal, ...shown });
  } finally {
    end();
  }
}

/** The end of a run. */
export interface Checked {
  /** The exit code. */
  readonly code: number;
  /** Undefined when it could not begin. */
  readonly summary?: Summary;
}

/** Aborting a run with this reason leaves it without a report: another one takes its place. */
export const SUPERSEDED = Symbol('superseded');

/** Runs and reports. */
export async function runAndReport(
  options: CheckOptions,
  signal: AbortSignal,
  quiet = options.quiet,
): Promise<Checked> {
  try {
    const run = withLastFailed(await runShown(options, signal), options);
    const { known, failOn } = options.run;
    const summary = withFailOn(applyBaseline(run, known?.listed), failOn);
    if (signal.reason === SUPERSEDED) return { code: EXIT.interrupted, summary };
    const code = await giveReports(summary, { report: options.report, quiet, annotates: true });
    if (options.nextBaseline !== undefined) writeBaseline(summary, options.nextBaseline);
    return { code: signal.aborted ? EXIT.interrupted : code, summary };
  } catch (error) {
    if (signal.aborted) return { code: EXIT.interrupted };
    if (error instanceof TargetUnreachable || error instanceof KeyRefused) {
      await reportNotBegun(error, options.report);
      return { code: EXIT.unreachable };
    }
    if (!(error instanceof JournalWriteError)) throw error;
    noteLine(`error: ${error.message}`);
    return { code: EXIT.incomplete };
  }
}

/** Says why the run could not begin, with what came, and writes its reports beside those of an earlier run. */
async function reportNotBegun(
  { message, summary }: TargetUnreachable | KeyRefused,
  folder: string | undefined,
): Promise<void> {
  noteLine(`error: ${message}`);
  if (summary?.notBegun === undefined) return;
  for (const line of firstAnswerLines(summary.notBegun)) noteLine(`  ${line}`);
  writeJobSummary(summary, process.env, folder);
  if (folder === undefined) return;
  setAsideReports(folder);
  await saveReports(folder, summary);
}

/** The flags of a run of what failed last, where that is wanted. A run that checks nothing would say nothing. */
function selectedFlags(flags: ResolvedFlags, all: Catalogue, memory: Memory): ResolvedFlags {
  if (flags.lastFailed !== true) return flags;
  const chosen = onlyFailed(flags, all, memory);
  if (chosen !== undefined) return chosen;
  const what = flags.only === undefined ? 'everything' : 'all that --only names';
  noteLine(`Nothing failed in the last run of this target: checking ${what}.`);
  return flags;
}

/**
 * `chat-conformance`: resolves the options, runs the checks, reports, and sets the exit code.
 * @throws {UsageError} Before anything is sent or started.
 */
export async function runCheckCommand(given: CheckFlags): Promise<void> {
  const configured = await resolveFlags(given);
  if (given.showConfig === true)
    return (await import('./show-configuration.ts')).showConfiguration(configured, process.env);
  const all = await catalogueOf(configured);
  // All shards of a run send the same, whatever reports lie where they run.
  const memory = configured.shard === undefined ? await readMemory(configured) : NO_MEMORY;
  const flags = selectedFlags(configured, all, memory);
  const whole = await resolveCheckOptions(flags, process.env, all, memory.failures);
  // The stimuli of a user may throw what they like: before anything is sent.
  if (flags.checks !== undefined)
    inFile(
      () => planOf(whole),
      (error) => `${flags.checks}: a stimulus cannot be planned: ${firstLine(error)}`,
    );
  const options = flags.shard === undefined ? whole : takeShard(whole, flags.shard);
  const note = (...lines: readonly string[]): void => (options.quiet ? [] : lines).forEach(noteLine);
  note(...partLines(options));
  if (flags.plan !== undefined) return printPlan(options, flags, memory);
  note(...targetLines(options), `seed ${options.run.seed}`, ...capsLines(options));
  if (options.report !== given.report) note(`journal and reports go to ${options.report}`);
  const { signal, release } = interruptible(() => {
    noteLine('\nFinishing the requests in flight; press Ctrl-C again to stop at once.');
  });
  try {
    const { code, summary } = await withService(options, signal, () => runAndReport(options, signal));
    const isFirst = memory.lastRun === undefined || summary === undefined;
    const changes = isFirst ? undefined : changesLine(summary, memory, options.run.failOn);
    if (changes !== undefined) writeLine(changes);
    process.exitCode = code;
  } finally {
    release();
  }
}
