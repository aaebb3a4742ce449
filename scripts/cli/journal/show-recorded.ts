import { styleText } from 'node:util';
import type { Paint } from '../../../suites/kit/reporting/colours.ts';
import { terminalReport } from '../../../suites/kit/reporting/terminal/terminal-report.ts';
import { type Findings, summarise } from '../../../suites/kit/running/summarise.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { exitCodeOf, failedOn } from '../options/fail-on.ts';
import { EXIT } from '../terminal/exit.ts';
import { writeWithoutCommands } from '../reports/github-actions.ts';
import type { FoundRun } from './journal-file.ts';
import type { JournalFlags } from '../options/journal-flags.ts';
import { quoted } from '../terminal/quoted.ts';
import { prepareReportFolder, saveReports } from '../reports/save-reports.ts';
import { noteLine, writeLine } from '../terminal/write-line.ts';

const paint: Paint = (style, text) => styleText(style, text, { stream: process.stdout });

/** Makes every report of what a journal holds; returns the exit code, which is that of such a run. */
export async function showRecorded(
  { file, recording }: FoundRun,
  findings: Findings,
  flags: JournalFlags,
): Promise<number> {
  if (flags.report !== undefined) prepareReportFolder(flags.report);
  if (recording.isTruncated) noteTruncated(file);
  return showSummary(summarise(findings), () => file, flags);
}

export function noteTruncated(file: string): void {
  noteLine(`${file}: the last line was broken off, and is left out`);
}

/** The same of a summary; `journalOf` says which journal a check can be replayed from. */
export async function showSummary(
  summary: Summary,
  journalOf: (checkId: string) => string,
  { report, failOn: stricter, quiet = false }: JournalFlags,
): Promise<number> {
  const failOn = new Set(stricter);
  const text = terminalReport(summary, {
    paint,
    detail: quiet ? 'failures' : 'everything',
    again: (checkId) => `chat-conformance replay ${quoted(journalOf(checkId))} ${checkId}`,
  });
  writeWithoutCommands(text.trimEnd(), process.env);
  for (const line of failedOn(summary, failOn)) writeLine(line);
  const isSaved = report === undefined || (await saveReports(report, summary));
  const code = exitCodeOf(summary, failOn);
  return code === EXIT.conformant && !isSaved ? EXIT.incomplete : code;
}
