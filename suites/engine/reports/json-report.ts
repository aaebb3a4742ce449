import type { JsonReport } from '../model/report-schema.ts';
import type { Summary } from '../model/summary.ts';
import { isFailing, isWarning } from './display-verdict.ts';
import { failureGroups, type FailureGroup } from './failure-groups.ts';

/** The text of `report.json`: keys in a fixed order, valid UTF-8 whatever the target answered. */
export function jsonReport(summary: Summary): string {
  const groups = failureGroups(summary, (result) => isFailing(result) || isWarning(result)).map(groupIn);
  const report: JsonReport = {
    format: 'chat-conformance/report',
    version: 1,
    ...summary,
    ...(groups.length > 0 && { groups }),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function groupIn({ results, clauses, remedies, gateways }: FailureGroup) {
  const { code, path } = results[0].failures[0] ?? {};
  const checks = results.map(({ id }) => id);
  return {
    checks,
    clauses,
    ...(code !== undefined && { code }),
    ...(path !== undefined && { path }),
    remedies,
    gateways,
  };
}
