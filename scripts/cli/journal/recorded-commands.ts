import { INVARIANTS } from '../../../suites/invariants.ts';
import { printable } from '../../../suites/kit/evidence/printable.ts';
import type { Recording } from '../../../suites/kit/journal/read-journal.ts';
import { type Check, isOwn } from '../../../suites/kit/model/check.ts';
import type { Summary, CheckResult } from '../../../suites/kit/model/summary.ts';
import { recordedFindings } from '../../../suites/kit/recorded/recorded-findings.ts';
import { rejudge } from '../../../suites/kit/recorded/rejudge.ts';
import { styleTextFor } from '../../../suites/kit/reporting/colours.ts';
import { terminalReport } from '../../../suites/kit/reporting/terminal/terminal-report.ts';
import { type Findings, summarise } from '../../../suites/kit/summary/summarise.ts';
import { catalogueOf } from '../modules/catalogue-of.ts';
import type { JournalFlags } from '../options/check-flags.ts';
import { exitCodeOf, withFailOn } from '../options/fail-on.ts';
import { againCommand } from '../reports/again-command.ts';
import { latestRun } from '../reports/run-folders.ts';
import { prepareReportFolder, saveReports } from '../reports/save-reports.ts';
import { EXIT } from '../terminal/exit.ts';
import { noteLine, writeLine } from '../terminal/output.ts';
import { prepareFile } from '../terminal/write-file.ts';
import { type FoundRun, readRun } from './journal-file.ts';

/** Makes every report of a recorded run; returns the exit code of such a run. */
export async function showRecorded(
  { file, recording }: FoundRun,
  findings: Findings,
  flags: JournalFlags,
): Promise<number> {
  if (flags.report !== undefined) prepareReportFolder(flags.report);
  if (recording.isTruncated) noteTruncated(file);
  return showSummary(withFailOn(summariseRecorded(findings), new Set(flags.failOn)), flags);
}

export function noteTruncated(file: string): void {
  noteLine(`${file}: ignored the last line, which is incomplete`);
}

/** Makes every report of a summary. */
export async function showSummary(
  summary: Summary,
  { report, quiet = false }: JournalFlags,
): Promise<number> {
  const text = terminalReport(summary, {
    styleText: styleTextFor('stdout'),
    detail: quiet ? 'failures' : 'everything',
  });
  const hasCurl = summary.checks.some(({ evidence }) => evidence.some(({ curl }) => curl !== ''));
  if (hasCurl)
    noteLine(`curl lines, if you run them, send your keys to ${printable(summary.target.baseUrl)}`);
  writeLine(text.trimEnd());
  const isSaved = report === undefined || (await saveReports(report, summary));
  const code = exitCodeOf(summary);
  return code === EXIT.conformant && !isSaved ? EXIT.incomplete : code;
}

/** The summary of a recorded run. Its `again` lines say no more than its target and its seed. */
export function summariseRecorded(findings: Findings): Summary {
  const { target, seed } = findings;
  const where = target.kind === 'live' ? { baseUrl: target.baseUrl } : {};
  return summarise({ ...findings, again: printable(againCommand(where, seed)) });
}

interface ReportFlags extends JournalFlags {
  /** A file to write. */
  readonly har?: string;
}

async function writeHar(journal: string, file: string): Promise<void> {
  prepareFile(file);
  const { exportHar } = await import('./export-har.ts');
  exportHar(journal, file);
  noteLine(`wrote ${file}`);
}

/**
 * `chat-conformance report`: makes every report of a run from its journal, with the verdicts as they were.
 * @throws {UsageError} When there is no journal, or it cannot be read.
 */
export async function runReportCommand(path: string | undefined, flags: ReportFlags): Promise<void> {
  const found = readRun(path ?? latestRun());
  if (flags.har !== undefined) await writeHar(found.file, flags.har);
  const asked = new Set(found.recording.run.invariants.map(({ id }) => id));
  const invariants = INVARIANTS.filter(({ id }) => asked.has(id));
  process.exitCode = await showRecorded(found, recordedFindings(found.recording, invariants), flags);
}

function changeLine(now: CheckResult, before: CheckResult | undefined): string[] {
  const { id, verdict, reason } = now;
  if (before === undefined || before.verdict === verdict) return [];
  const because = reason === '' ? '' : `: ${printable(reason)}`;
  return [`Changed: ${id} was ${before.verdict}, and is ${verdict} now${because}`];
}

function noteChanges(before: Findings, now: Findings): void {
  const old = new Map(summarise(before).checks.map((result) => [result.id, result]));
  const lines = summarise(now).checks.flatMap((result) => changeLine(result, old.get(result.id)));
  for (const line of lines.length > 0 ? lines : ['No verdict changed']) noteLine(line);
}

/** Checks of the user's own are judged only where their module is named. */
function noteUnknown({ run }: Recording, known: readonly Check[]): void {
  const gone = run.checks.filter((each) => isOwn(each) && known.every(({ id }) => id !== each.id));
  if (gone.length === 0) return;
  noteLine(`Not judged again without --checks FILE: ${gone.map(({ id }) => id).join(' ')}`);
}

export interface RejudgeFlags extends JournalFlags {
  readonly checks?: string;
}

/**
 * `chat-conformance rejudge`: puts what an old run saw before the checks of this release, without a request, and says
 * which verdicts changed.
 * @throws {UsageError} When there is no journal, or it cannot be read.
 */
export async function runRejudgeCommand(path: string | undefined, flags: RejudgeFlags): Promise<void> {
  const found = readRun(path ?? latestRun());
  const { checks } = await catalogueOf(flags);
  noteUnknown(found.recording, checks);
  const now = rejudge(found.recording, checks, INVARIANTS);
  process.exitCode = await showRecorded(found, now, flags);
  noteChanges(recordedFindings(found.recording, INVARIANTS), now);
}
