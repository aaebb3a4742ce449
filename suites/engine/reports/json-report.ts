import type { JsonReport, Summary } from '../model/summary.ts';
import { isFailing, isWarning } from './display-verdict.ts';
import { failureGroups } from './sections.ts';

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
