import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Summary } from '../../../suites/engine/model/summary.ts';
import { annotations } from '../../../suites/engine/reports/annotations.ts';
import { styleTextFor } from '../../../suites/engine/reports/colours.ts';
import { markdownReport } from '../../../suites/engine/reports/markdown-report.ts';
import {
  terminalReport,
  type TerminalReportOptions,
} from '../../../suites/engine/reports/terminal-report.ts';
import { isJob } from '../../../suites/engine/text/printable.ts';
import { exitCodeOf } from '../options/fail-on.ts';
import { EXIT } from '../terminal/exit.ts';
import { noteLine, writeCommands, writeLine } from '../terminal/output.ts';
import { setAside, writeWhole } from '../terminal/write-file.ts';
import { REPORT_FILES } from './report-folder.ts';

/** What makes the files of a report folder, each loaded only when it is needed. */
const MAKERS: Readonly<Record<(typeof REPORT_FILES)[number], () => Promise<(summary: Summary) => string>>> = {
  'report.json': async () => (await import('../../../suites/engine/reports/json-report.ts')).jsonReport,
  'junit.xml': async () => (await import('../../../suites/engine/reports/junit-report.ts')).junitReport,
  'summary.md': async () => markdownReport,
  'report.html': async () => (await import('../../../suites/engine/reports/html-report.ts')).htmlReport,
};

export interface Reporting extends Omit<TerminalReportOptions, 'styleText' | 'detail'> {
  /** The folder of the files; absent: none are written. */
  readonly report?: string | undefined;
  /** Whether only problems are printed. */
  readonly quiet?: boolean | undefined;
  /** Whether a job of GitHub Actions gets annotations and a summary. */
  readonly annotates?: boolean;
}

/** Gives every report of a run: prints it, and writes its files. Returns the exit code. */
export async function giveReports(summary: Summary, options: Reporting): Promise<number> {
  const { report, quiet = false, annotates = false, ...shown } = options;
  const detail = quiet ? 'failures' : 'everything';
  const text = terminalReport(summary, {
    ...shown,
    detail,
    styleText: styleTextFor('stdout'),
  });
  writeLine(text.trimEnd());
  if (annotates) writeJobSummary(summary, process.env, report);
  const isSaved = report === undefined || (await saveReports(report, summary));
  const code = exitCodeOf(summary);
  return code === EXIT.conformant && !isSaved ? EXIT.incomplete : code;
}

/**
 * Writes every report, each atomically, and says where. One that cannot be made or written keeps none of the others from
 * being written: it is named, and the answer is false.
 */
export async function saveReports(folder: string, summary: Summary): Promise<boolean> {
  const paths: string[] = [];
  const problems = new Set<string>();
  for (const name of REPORT_FILES) {
    const path = join(folder, name);
    try {
      const make = await MAKERS[name]();
      writeWhole(path, make(summary));
      paths.push(path);
    } catch (error) {
      problems.add(problemOf(error, name, folder));
    }
  }
  if (paths.length > 0) noteLine(`Written: ${paths.join(' ')}`);
  for (const problem of problems) noteLine(`error: ${problem}`);
  return problems.size === 0;
}

function problemOf(error: unknown, name: string, folder: string): string {
  if (error instanceof Error && 'syscall' in error && 'code' in error)
    return `cannot write the reports to ${folder} (${String(error.code)})`;
  return `${name} could not be made: internal error: ${String(error)}`;
}

/** Moves the reports of an earlier run out of the way. */
export function setAsideReports(folder: string): void {
  for (const name of REPORT_FILES) setAside(join(folder, name));
}

/** In a job of GitHub Actions, prints annotations and adds to the job summary; elsewhere does nothing. */
export function writeJobSummary(summary: Summary, environment: NodeJS.ProcessEnv, folder?: string): void {
  if (!isJob(environment)) return;
  writeCommands(annotations(summary));
  const file = environment['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  const page = folder === undefined ? '' : 'report.html';
  try {
    appendFileSync(file, `${markdownReport(summary, page)}\n`);
  } catch {
    noteLine(`cannot write the job summary: ${file}`);
  }
}
