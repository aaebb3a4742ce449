import { styleText } from 'node:util';
import { CHECKS } from '../suites/catalogue.ts';
import { INVARIANTS } from '../suites/invariants.ts';
import { KeyRefused, TargetUnreachable } from '../suites/kit/running/preflight-error.ts';
import type { Paint } from '../suites/kit/reporting/report-style.ts';
import { terminalReport } from '../suites/kit/reporting/report-terminal.ts';
import type { Summary } from '../suites/kit/summary.ts';
import { againCommand } from './again-command.ts';
import { withBaseline, writeBaseline } from './baseline-plan.ts';
import type { CheckFlags } from './check-flags.ts';
import { planCheck, type CheckPlan } from './check-plan.ts';
import { exitCodeOf, failedOn } from './exit-code.ts';
import { EXIT } from './exit.ts';
import { tellJob, writeUnheeded } from './github-actions.ts';
import { interruptible } from './interruption.ts';
import { NO_PROGRESS, progressView } from './progress-view.ts';
import { writeReports } from './report-folder.ts';
import { runPlan } from './run-plan.ts';
import { noteLine, writeLine } from './write-line.ts';

const paint: Paint = (style, text) => styleText(style, text, { stream: process.stdout });

async function runWatched(plan: CheckPlan, signal: AbortSignal): Promise<Summary> {
  const view = plan.quiet ? NO_PROGRESS : progressView(process.stderr);
  try {
    return await runPlan(plan, { signal, onProgress: view.show });
  } finally {
    view.end();
  }
}

async function report(summary: Summary, plan: CheckPlan, flags: CheckFlags): Promise<void> {
  const detail = plan.quiet ? 'failures' : 'everything';
  const again = (checkId: string): string => againCommand(flags, summary.seed, checkId);
  writeUnheeded(terminalReport(summary, { paint, detail, again }).trimEnd(), process.env);
  for (const line of failedOn(summary, plan.failOn)) writeLine(line);
  tellJob(summary, process.env);
  const reports = plan.report === undefined ? [] : await writeReports(plan.report, summary);
  const files = [...reports, (await writeBaseline(summary, plan.baseline)) ?? []].flat();
  if (files.length > 0) noteLine(`Written: ${files.join(' ')}`);
}

/** Does the whole check; returns the exit code. */
async function checked(plan: CheckPlan, flags: CheckFlags, signal: AbortSignal): Promise<number> {
  try {
    const summary = await withBaseline(await runWatched(plan, signal), plan.baseline, new Date());
    await report(summary, plan, flags);
    return signal.aborted ? EXIT.interrupted : exitCodeOf(summary, plan.failOn);
  } catch (error) {
    if (signal.aborted) return EXIT.interrupted;
    if (!(error instanceof TargetUnreachable || error instanceof KeyRefused)) throw error;
    noteLine(`error: ${error.message}`);
    return EXIT.unreachable;
  }
}

/**
 * `chat-conformance`: finds what is wrong with the input, runs, reports, and sets the exit code.
 * @throws {UsageError} Before anything was sent or started.
 */
export async function runCheckCommand(flags: CheckFlags): Promise<void> {
  const plan = await planCheck(flags, process.env, { checks: CHECKS, invariants: INVARIANTS });
  if (!plan.quiet) noteLine(`seed ${plan.options.seed}`);
  const { signal, release } = interruptible(() => {
    noteLine('\nFinishing what is under way; Ctrl-C again ends it at once.');
  });
  try {
    process.exitCode = await checked(plan, flags, signal);
  } finally {
    release();
  }
}
