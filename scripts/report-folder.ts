import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jsonReport } from '../suites/kit/reporting/report-json.ts';
import type { Summary } from '../suites/kit/summary.ts';
import { UsageError } from './usage-error.ts';

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
    if (isFolder(join(folder, REPORT))) throw new UsageError(`${join(folder, REPORT)} is a folder`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new UsageError(`cannot write to the report folder ${folder} (${reason})`);
  }
}

/** Writes `report.json` so that whoever looks sees the whole file or none; returns where it is. */
export function writeReports(folder: string, summary: Summary): string {
  const file = join(folder, REPORT);
  const unfinished = `${file}.${process.pid}.tmp`;
  writeFileSync(unfinished, jsonReport(summary));
  renameSync(unfinished, file);
  return file;
}
