import { styleText } from 'node:util';
import type { Paint } from '../suites/kit/reporting/report-style.ts';
import { terminalReport } from '../suites/kit/reporting/report-terminal.ts';
import { type Findings, summarise } from '../suites/kit/running/summarise.ts';
import { exitCodeOf, failedOn } from './exit-code.ts';
import { EXIT } from './exit.ts';
import type { FoundRun } from './journal-file.ts';
import type { JournalFlags } from './journal-flags.ts';
import { quoted } from './quoted.ts';
import { prepareReportFolder } from './report-folder.ts';
import { saveReports } from './save-reports.ts';
import { noteLine, writeLine } from './write-line.ts';

const paint: Paint = (style, text) => styleText(style, text, { stream: process.stdout });

/** Makes every report of what a journal holds; returns the exit code, which is that of such a run. */
export async function showRecorded(
  { file, recording }: FoundRun,
  findings: Findings,
  flags: JournalFlags,
): Promise<number> {
  if (flags.report !== undefined) prepareReportFolder(flags.report);
  if (recording.isTruncated) noteLine(`${file}: the last line was broken off, and is left out`);
  const summary = summarise(findings);
  const failOn = new Set(flags.failOn);
  writeLine(
    terminalReport(summary, {
      paint,
      detail: flags.quiet === true ? 'failures' : 'everything',
      again: (checkId) => `chat-conformance replay ${quoted(file)} ${checkId}`,
    }).trimEnd(),
  );
  for (const line of failedOn(summary, failOn)) writeLine(line);
  const isSaved = flags.report === undefined || (await saveReports(flags.report, summary));
  const code = exitCodeOf(summary, failOn);
  return code === EXIT.conformant && !isSaved ? EXIT.incomplete : code;
}
