import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type JsonReport, reportSchema } from '../model/summary.ts';
import { readJsonFile } from '../text/read-json-file.ts';

export function reportJsonSchema(): object {
  return { ...z.toJSONSchema(reportSchema, { io: 'input' }), title: 'chat-conformance report' };
}

/**
 * Reads a `report.json`, given its path or that of its folder.
 * @throws {FileError} At the first problem.
 */
export function readReport(path: string): JsonReport {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return readJsonFile(isFolder ? join(path, 'report.json') : path, 'report', reportSchema);
}
