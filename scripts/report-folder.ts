import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonReport } from '../suites/kit/reporting/report-json.ts';
import type { Summary } from '../suites/kit/summary.ts';
import { UsageError } from './usage-error.ts';

/**
 * Makes the folder when it is missing, and finds out by writing whether reports can go there.
 * @throws {UsageError} When they cannot.
 */
export function prepareReportFolder(folder: string): void {
  const probe = join(folder, `.writable-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new UsageError(`cannot write to the report folder ${folder} (${reason})`);
  }
}

/** Writes `report.json` so that whoever looks sees the whole file or none; returns where it is. */
export function writeReports(folder: string, summary: Summary): string {
  const file = join(folder, 'report.json');
  const unfinished = `${file}.${process.pid}.tmp`;
  writeFileSync(unfinished, jsonReport(summary));
  renameSync(unfinished, file);
  return file;
}
