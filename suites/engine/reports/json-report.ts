import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type JsonReport, reportSchema } from '../model/report-schema.ts';
import type { Summary } from '../model/summary.ts';
import { readJsonFile } from '../text/read-json-file.ts';
import { isFailing, isWarning } from './display-verdict.ts';
import { failureGroups } from './failure-groups.ts';

/** The text of `report.json`: keys in a fixed order, valid UTF-8 whatever the target answered. */
export function jsonReport(summary: Summary): string {
  const all = failureGroups(summary, (result) => isFailing(result) || isWarning(result));
  const groups = all.map(({ results, ...group }) => ({ checks: results.map(({ id }) => id), ...group }));
  const report: JsonReport = {
    format: 'chat-conformance/report',
    version: 1,
    ...summary,
    ...(groups.length > 0 && { groups }),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

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
