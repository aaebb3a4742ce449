import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { noteLine } from '../terminal/output.ts';
import { UsageError } from '../terminal/exit.ts';
import { writeWhole } from '../terminal/write-file.ts';
import { errorCode } from '../../../suites/kit/files/read-json-file.ts';

/** The files of a report folder. The code that makes each is loaded only when it is needed. */
const FILES: Readonly<Record<string, () => Promise<(summary: Summary) => string>>> = {
  'report.json': async () => (await import('../../../suites/kit/reporting/json-report.ts')).jsonReport,
  'junit.xml': async () => (await import('../../../suites/kit/reporting/junit-report.ts')).junitReport,
  'summary.md': async () => (await import('../../../suites/kit/reporting/markdown-report.ts')).markdownReport,
  'report.html': async () => (await import('../../../suites/kit/reporting/html/html-report.ts')).htmlReport,
};

/**
 * Makes the folder if it is missing, and tries whether reports can be written to it.
 * @throws {UsageError} When they cannot.
 */
export function prepareReportFolder(folder: string): void {
  const probe = join(folder, `.writable-${process.pid}`);
  try {
    makeFolder(folder);
    const taken = Object.keys(FILES).find((name) => isFolder(join(folder, name)));
    if (taken !== undefined) throw new UsageError(`${join(folder, taken)} is a folder`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot write to the report folder ${folder} (${errorCode(error)})`);
  }
}

/** One level at a time: Node never returns from a recursive mkdir below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Writes the reports and says where; says so and returns false when the folder no longer takes them. */
export async function saveReports(folder: string, summary: Summary): Promise<boolean> {
  try {
    noteLine(`Written: ${(await writeReports(folder, summary)).join(' ')}`);
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    noteLine(`error: cannot write the reports to ${folder} (${String(error.code)})`);
    return false;
  }
}

/** Writes every report, each atomically; returns their paths. */
export async function writeReports(folder: string, summary: Summary): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const [name, load] of Object.entries(FILES)) {
    const path = join(folder, name);
    writeWhole(path, (await load())(summary));
    paths.push(path);
  }
  return paths;
}
