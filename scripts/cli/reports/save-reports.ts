import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Summary } from '../../../suites/kit/model/summary.ts';
import { noteLine } from '../terminal/write-line.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { writeWhole } from '../terminal/write-whole.ts';
import { errorCode } from '../../../suites/kit/files/read-json-file.ts';

/** Writes the reports and says where; false when the folder does not take them any more, which is said too. */
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

const REPORT = 'report.json';

/** One level at a time: made all at once, a folder below /proc keeps Node trying for ever. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  mkdirSync(folder);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/**
 * Makes the folder when it is missing, and finds out by writing whether reports can go there.
 * @throws {UsageError} When they cannot.
 */
export function prepareReportFolder(folder: string): void {
  const probe = join(folder, `.writable-${process.pid}`);
  try {
    makeFolder(folder);
    const taken = Object.keys(FORMS).find((name) => isFolder(join(folder, name)));
    if (taken !== undefined) throw new UsageError(`${join(folder, taken)} is a folder`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot write to the report folder ${folder} (${errorCode(error)})`);
  }
}

/** The forms of a summary, each in a file of its own; what makes it is loaded only when it is wanted. */
const FORMS: Readonly<Record<string, () => Promise<(summary: Summary) => string>>> = {
  [REPORT]: async () => (await import('../../../suites/kit/reporting/json-report.ts')).jsonReport,
  'junit.xml': async () => (await import('../../../suites/kit/reporting/junit-report.ts')).junitReport,
  'summary.md': async () => (await import('../../../suites/kit/reporting/markdown-report.ts')).markdownReport,
  'report.html': async () => (await import('../../../suites/kit/reporting/html/html-report.ts')).htmlReport,
};

/** Writes every form so that whoever looks sees a whole file or none; returns where they are. */
export async function writeReports(folder: string, summary: Summary): Promise<readonly string[]> {
  const files: string[] = [];
  for (const [name, load] of Object.entries(FORMS)) {
    const file = join(folder, name);
    writeWhole(file, (await load())(summary));
    files.push(file);
  }
  return files;
}
