import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { annotations } from '../../../suites/kit/reporting/annotations.ts';
import { markdownReport } from '../../../suites/kit/reporting/markdown-report.ts';
import { noteLine, writeLine } from '../terminal/output.ts';

type Environment = Readonly<Record<string, string | undefined>>;

function isJob(environment: Environment): boolean {
  return environment['GITHUB_ACTIONS'] === 'true';
}

/** Prints text that the target wrote parts of: in a job of GitHub Actions, no line of it is read as a workflow command. */
export function writeWithoutCommands(text: string, environment: Environment): void {
  if (!isJob(environment)) return writeLine(text);
  const token = randomUUID();
  writeLine(`::stop-commands::${token}\n${text}\n::${token}::`);
}

/** In a job of GitHub Actions, prints annotations and adds to the job summary; elsewhere does nothing. */
export function writeJobSummary(summary: Summary, environment: Environment): void {
  if (!isJob(environment)) return;
  for (const line of annotations(summary)) writeLine(line);
  const file = environment['GITHUB_STEP_SUMMARY'];
  if (file === undefined || file === '') return;
  try {
    appendFileSync(file, `${markdownReport(summary)}\n`);
  } catch {
    noteLine(`cannot write the job summary: ${file}`);
  }
}
