import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JournalLines } from '../../../suites/engine/journal/journal-lines.ts';
import { type Recording, recordingOf, runOf } from '../../../suites/engine/journal/read-journal.ts';
import { type Check, isOwn } from '../../../suites/engine/model/check.ts';
import type { CheckResult } from '../../../suites/engine/model/summary.ts';
import { recordedFindings } from '../../../suites/engine/running/recorded/recorded-findings.ts';
import { rejudge } from '../../../suites/engine/running/recorded/rejudge.ts';
import { type Findings, summarise } from '../../../suites/engine/summary/summarise.ts';
import { printable } from '../../../suites/engine/text/printable.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { catalogueOf } from '../modules/catalogue-of.ts';
import type { ReportFlags } from '../options/command-tables.ts';
import { latestRun } from '../reports/run-folders.ts';
import { prepareReportFolder } from '../reports/save-reports.ts';
import { EXIT, UsageError } from '../terminal/exit.ts';
import { noteLine } from '../terminal/output.ts';
import { prepareFile } from '../terminal/write-file.ts';
import { linesAt } from './journal-file.ts';
import { type Gate, gateOf, reportFindings, reportSummary } from './report-findings.ts';

/**
 * `chat-conformance report`: makes every report of a run from its journal, without a request: with the verdicts as they
 * were, or with those of this release, and then says which changed.
 * @throws {UsageError} When there is no journal, or it cannot be read.
 */
export async function runReportCommand(path: string | undefined, flags: ReportFlags): Promise<void> {
  if (flags.checks !== undefined && flags.rejudge !== true)
    throw new UsageError('--checks requires --rejudge: without it nothing is judged');
  const lines = linesAt(path ?? latestRun());
  const run = runOf(lines, lines.file);
  const gate = await gateOf(run, run.checks, flags);
  if (flags.har !== undefined) await writeHar(lines, flags.har);
  if (flags.report !== undefined) prepareReportFolder(flags.report);
  if (run.target.passing === true) return reportPassed(lines, gate, flags);
  const recording = { ...recordingOf(lines, lines.file), run: { ...run, ...gate } };
  const then = recordedFindings(recording, invariantsOf(recording));
  const now = flags.rejudge === true ? await judgedAgain(recording, flags) : then;
  const code = await reportFindings(now, gate, { ...flags, keptIn: pageBeside(lines) });
  process.exitCode = recording.finished?.interrupted === true ? EXIT.interrupted : code;
  if (now !== then) noteChanges(then, now);
}

/** The journal of a proxy has no verdicts: it is judged as the proxy judges. */
async function reportPassed(lines: JournalLines, gate: Gate, flags: ReportFlags): Promise<void> {
  const { journalSummary } = await import('../../proxy/observer.ts');
  process.exitCode = await reportSummary(await journalSummary(lines), gate, flags);
}

/** The folder of a journal, where it has the page of the run too. */
function pageBeside({ file }: JournalLines): string | null {
  return existsSync(join(dirname(file), 'report.html')) ? dirname(file) : null;
}

async function writeHar(lines: JournalLines, file: string): Promise<void> {
  prepareFile(file);
  const { exportHar } = await import('./export-har.ts');
  exportHar(recordingOf(lines, lines.file), file);
  noteLine(`wrote ${file}`);
}

function invariantsOf({ run }: Recording): typeof INVARIANTS {
  const asked = new Set(run.invariants.map(({ id }) => id));
  return INVARIANTS.filter(({ id }) => asked.has(id));
}

async function judgedAgain(recording: Recording, flags: ReportFlags): Promise<Findings> {
  const { checks } = await catalogueOf(flags);
  noteUnknown(recording, checks);
  return rejudge(recording, checks, INVARIANTS);
}

/** Checks of the user's own are judged only where their module is named. */
function noteUnknown({ run }: Recording, known: readonly Check[]): void {
  const gone = run.checks.filter((each) => isOwn(each) && known.every(({ id }) => id !== each.id));
  if (gone.length === 0) return;
  noteLine(`Not judged again without --checks FILE: ${gone.map(({ id }) => id).join(' ')}`);
}

function noteChanges(before: Findings, now: Findings): void {
  const old = new Map(summarise(before).checks.map((result) => [result.id, result]));
  const lines = summarise(now).checks.flatMap((result) => changeLine(result, old.get(result.id)));
  for (const line of lines.length > 0 ? lines : ['No verdict changed']) noteLine(line);
}

function changeLine(now: CheckResult, before: CheckResult | undefined): string[] {
  const { id, verdict, reason } = now;
  if (before === undefined || before.verdict === verdict) return [];
  const because = reason === '' ? '' : `: ${printable(reason)}`;
  return [`Changed: ${id} was ${before.verdict}, and is ${verdict} now${because}`];
}
