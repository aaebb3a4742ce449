import type { Summary } from '../model/summary.ts';
import { isFailing, isWarning } from './display-verdict.ts';
import { failureGroups, type FailureGroup } from './failure-groups.ts';
import type { JsonReport } from './report-schema.ts';

function groupsOf(summary: Summary): Pick<JsonReport, 'groups'> {
  const groups = failureGroups(summary, (result) => isFailing(result) || isWarning(result));
  return groups.length === 0 ? {} : { groups: groups.map(groupIn) };
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

/** The text of `report.json`: keys in a fixed order, valid UTF-8 whatever the target answered. */
export function jsonReport(summary: Summary): string {
  const report: JsonReport = {
    format: 'chat-conformance/report',
    version: 1,
    outcome: summary.outcome,
    target: summary.target,
    seed: summary.seed,
    caps: summary.caps,
    startedAt: summary.startedAt,
    durationMs: summary.durationMs,
    spent: summary.spent,
    checks: summary.checks,
    clauses: summary.clauses,
    ...groupsOf(summary),
    open: summary.open,
    uncertain: summary.uncertain,
    cutShort: summary.cutShort,
    warnings: summary.warnings,
    ...(summary.remembered !== undefined && { remembered: summary.remembered }),
    ...(summary.notBegun !== undefined && { notBegun: summary.notBegun }),
    ...(summary.scenarios !== undefined && { scenarios: summary.scenarios }),
    ...(summary.baseline !== undefined && { baseline: summary.baseline }),
    ...(summary.failedOn !== undefined && { failedOn: summary.failedOn }),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}
