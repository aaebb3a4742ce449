import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonReport, reportSchema } from '../model/summary.ts';
import { readJsonFile } from '../text/read-json-file.ts';

/**
 * Reads a `report.json`, given its path or that of its folder.
 * @throws {FileError} At the first problem.
 */
export function readReport(path: string): JsonReport {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return readJsonFile(isFolder ? join(path, 'report.json') : path, 'report', reportSchema);
}
