import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile } from '../files/read-json-file.ts';
import { type ReadReport, reportSchema } from './report-schema.ts';

/**
 * Reads and checks a `report.json`, named by itself or by the folder it is in.
 * @throws {FileError} At the first thing that is wrong with it.
 */
export function readReport(path: string): ReadReport {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return readJsonFile(isFolder ? join(path, 'report.json') : path, 'report', reportSchema);
}
