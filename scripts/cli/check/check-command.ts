import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { isSecretVariable } from '../../../fixtures/credentials/secret-names.ts';
import { baselineText, makeBaseline } from '../../../suites/engine/files/apply-baseline.ts';
import { JournalWriteError, journalOn } from '../../../suites/engine/journal/write-journal.ts';
import type { Keys, RunOptions, Target } from '../../../suites/engine/model/run.ts';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { styleTextFor } from '../../../suites/engine/reports/colours.ts';
import { firstAnswerLines } from '../../../suites/engine/reports/sections.ts';
import { CannotBegin } from '../../../suites/engine/running/first-answer.ts';
import { runSuites } from '../../../suites/engine/running/run-suites.ts';
import { planJson, planSpending, planText } from '../../../suites/engine/running/spending-plan.ts';
import { inFile } from '../../../suites/engine/text/read-json-file.ts';
import { redactorOf } from '../../../suites/engine/text/redact.ts';
import { resolveTargets } from '../config/resolve-flags.ts';
import { catalogueOf } from '../modules/catalogue.ts';
import { firstLine } from '../modules/import-module.ts';
import type { CheckFlags, ResolvedFlags } from '../options/check-table.ts';
import { giveReports, keepReports } from '../reports/give-reports.ts';
import { JOURNAL, openJournal } from '../reports/report-folder.ts';
import { ownModule } from '../terminal/own-package.ts';
import { EXIT, interruptible, noteLine, writeLine } from '../terminal/terminal.ts';
import { saveFile } from '../terminal/write-file.ts';
import { resolveCheckOptions, type CheckOptions } from './check-options.ts';
import { readMemory, changesLine, type Memory, selectedFlags, withLastFailed } from './memory.ts';
import { progressOn, type Shown } from './progress.ts';
import { withService } from './with-service.ts';

async function runShown(options: CheckOptions, signal: AbortSignal): Promise<Summary> {
  if (options.quiet) return runCheck(options, { signal });
  // oxlint-disable-next-line eslint/no-restricted-properties -- its lines pass safeLines, and move the cursor themselves
  const { end, ...shown } = progressOn(process.stderr);
  return runCheck(options, { signal, ...shown }).finally(end);
}

/** Aborting a run with this reason leaves it without a report: another one takes its place. */
export const SUPERSEDED = Symbol('superseded');

/** Runs and reports. Returns the exit code, and the summary unless the run could not begin. */
export async function runAndReport(options: CheckOptions, signal: AbortSignal, quiet = options.quiet) {
  const { report, nextBaseline: next, places } = options;
  try {
    const run = withLastFailed(await runShown(options, signal), options);
    if (signal.reason === SUPERSEDED) return { code: EXIT.interrupted, summary: run };
    const { known, failOn } = options.run;
    const gate = { known: known?.listed, failOn };
    const { code, summary } = await giveReports(run, { ...gate, report, quiet, places, annotates: true });
    if (next !== undefined) saveFile(next.file, baselineText(makeBaseline(summary, next.before)));
    return { code: signal.aborted ? EXIT.interrupted : code, summary };
  } catch (error) {
    if (signal.aborted) return { code: EXIT.interrupted };
    if (error instanceof CannotBegin) {
      const { summary } = error;
      noteLine(`error: ${error.message}`);
      for (const line of firstAnswerLines({ ...summary?.notBegun })) noteLine(`  ${line}`);
      if (summary !== undefined) await keepReports(summary, report, places);
      return { code: EXIT.unreachable };
    }
    if (!(error instanceof JournalWriteError)) throw error;
    noteLine(`error: ${error.message}`);
    return { code: EXIT.incomplete };
  }
}

/** A check with everything that it needs. */
export type PreparedCheck = Awaited<ReturnType<typeof prepareCheck>>;

/** Looks at everything that a check needs. `memory`: what failed before. */
export async function prepareCheck(configured: ResolvedFlags, memory: Memory) {
  const all = await catalogueOf(configured);
  const flags = selectedFlags(configured, all, memory);
  const options = await resolveCheckOptions(flags, all, memory);
  // The stimuli of a user may throw what they like: before anything is sent.
  if (flags.checks !== undefined)
    inFile(
      () => planOf(options),
      (error) => `${flags.checks}: a stimulus cannot be planned: ${firstLine(error)}`,
    );
  return { flags, options, memory };
}

/** Starts the service if it is to be started, checks it, and says what changed. */
export async function runPrepared({ flags, options, memory }: PreparedCheck, signal: AbortSignal) {
  const lines = [...targetLines(options), `seed ${options.run.seed}`];
  if (options.report !== flags.given.report) lines.push(`journal and reports go to ${options.report}`);
  if (!options.quiet) lines.forEach(noteLine);
  const checked = await withService(options, signal, () => runAndReport(options, signal));
  const isFirst = memory === undefined || checked.summary === undefined;
  const changes = isFirst ? undefined : changesLine(checked.summary, memory, options.run.failOn);
  if (changes !== undefined) writeLine(changes);
  return checked;
}

/**
 * `chat-conformance`: resolves the options, runs the checks, reports, and sets the exit code.
 * @throws {UsageError} Before anything is sent or started.
 */
export async function runCheckCommand(given: CheckFlags): Promise<void> {
  const targets = await resolveTargets(given);
  const [only] = targets;
  if (only === undefined || targets.length > 1)
    return (await import('./check-targets.ts')).checkTargets(targets);
  if (given.showConfig === true) return (await import('./show-configuration.ts')).showConfiguration(only);
  const check = await prepareCheck(only, await readMemory(only));
  if (given.plan === true) return printPlan(check);
  await interruptible(FINISHING, async (signal) => {
    process.exitCode = (await runPrepared(check, signal)).code;
  });
}

/** What an interrupted run says. */
export const FINISHING = 'Finishing the requests in flight';

/** Runs the checks, with the bundled mock if it is the target. Throws TargetUnreachable or KeyRefused. */
export async function runCheck(options: CheckOptions, watch: Shown & Pick<RunOptions, 'signal'> = {}) {
  const { target, control, run, report } = options;
  const file = report === undefined ? undefined : join(report, JOURNAL);
  const fd = file === undefined ? undefined : openJournal(file);
  const journal = file && fd && journalOn(fd, { file, isDurable: target.kind === 'live' });
  const where: Where = target.kind === 'live' ? { target, control } : await startMockFor(target, run.seed);
  try {
    return await runSuites({ ...run, ...watch, ...where, ...(journal && { journal }) });
  } catch (error) {
    // The text of any error may quote a key or the token.
    throw reworded(error, redactorOf(where.target, where.control?.token).text);
  } finally {
    if (fd !== undefined) closeSync(fd);
    await where.stop?.();
  }
}

export function reworded(error: unknown, shown: (text: string) => string): unknown {
  if (!(error instanceof Error)) return error;
  error.message = shown(error.message);
  if (error.stack !== undefined) error.stack = shown(error.stack);
  return error;
}

interface Where extends Pick<RunOptions, 'target' | 'control'> {
  readonly stop?: () => Promise<unknown>;
}

/**
 * Starts the mock in a thread of its own, which ends with this process, and returns once it has said that it is ready. Its
 * control URL wants no token.
 */
async function startMockFor(target: Omit<Target, 'baseUrl' | 'keys'>, seed: number): Promise<Where> {
  // It has no use for the keys of a target, and would want its control token too.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSecretVariable(name)));
  const argv = ['mock', '--port', '0', '--seed', String(seed), '--control'];
  const worker = new Worker(ownModule('chat-conformance'), { argv, env, stdout: true, stderr: true });
  const { value: line } = await createInterface(worker.stdout)[Symbol.asyncIterator]().next();
  if (line === undefined) throw new Error(`the mock is not ready: ${await text(worker.stderr)}`);
  const { url: baseUrl, keys, control }: { url: string; keys: Keys; control: string } = JSON.parse(line);
  const stop = (): Promise<unknown> => worker.terminate();
  return { target: { ...target, baseUrl, keys }, control: { url: control }, stop };
}

/** Prints what a run would send at most, as JSON or for people. Sends nothing. */
export function printPlan({ flags, options }: PreparedCheck): void {
  const plan = planOf(options);
  writeLine(flags.json === true ? planJson(plan, options.run.runs) : planText(plan, styleTextFor('stdout')));
}

/** What is known of a run before its preflight. The bundled mock has every key. */
function planOf({ run, target, control }: CheckOptions) {
  if (target.kind === 'live') return planSpending({ ...run, target, control });
  const keys = { primary: '', second: '', unscoped: '' };
  return planSpending({ ...run, target: { ...target, keys }, control: { url: '' } });
}

/** Where the keys of a run go, and how little is sent there, unless it checks the bundled mock. */
export function targetLines({ target, control, run: { caps } }: CheckOptions): readonly string[] {
  if (target.kind === 'mock') return [];
  const where = control === undefined ? '' : `, with its control API at ${control.url}`;
  return [
    `checking ${target.baseUrl}${where}`,
    `at most ${caps.requests} requests and ${caps.completions} completions`,
  ];
}
