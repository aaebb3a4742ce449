import { styleTextFor } from '../../../suites/kit/reporting/colours.ts';
import { terminalReport } from '../../../suites/kit/reporting/terminal/terminal-report.ts';
import { type Findings, summarise } from '../../../suites/kit/summary/summarise.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { exitCodeOf, failedOn } from '../options/fail-on.ts';
import { EXIT } from '../terminal/exit.ts';
import { writeWithoutCommands } from '../reports/github-actions.ts';
import type { FoundRun } from './journal-file.ts';
import type { JournalFlags } from '../options/journal-flags.ts';
import { quoted } from '../terminal/quoted.ts';
import { prepareReportFolder, saveReports } from '../reports/save-reports.ts';
import { noteLine, writeLine } from '../terminal/write-line.ts';

/** Makes every report of a recorded run; returns the exit code of such a run. */
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
  noteLine(`${file}: ignored the last line, which is incomplete`);
}

/** Makes every report of a summary; `journalOf` names the journal from which a check can be replayed. */
export async function showSummary(
  summary: Summary,
  journalOf: (checkId: string) => string,
  { report, failOn: stricter, quiet = false }: JournalFlags,
): Promise<number> {
  const failOn = new Set(stricter);
  const text = terminalReport(summary, {
    styleText: styleTextFor(process.stdout),
    detail: quiet ? 'failures' : 'everything',
    rerunCommand: (checkId) => `chat-conformance replay ${quoted(journalOf(checkId))} ${checkId}`,
  });
  writeWithoutCommands(text.trimEnd(), process.env);
  for (const line of failedOn(summary, failOn)) writeLine(line);
  const isSaved = report === undefined || (await saveReports(report, summary));
  const code = exitCodeOf(summary, failOn);
  return code === EXIT.conformant && !isSaved ? EXIT.incomplete : code;
}
