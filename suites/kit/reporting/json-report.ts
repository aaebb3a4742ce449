import type { Summary } from '../model/summary.ts';
import type { JsonReport } from './report-schema.ts';

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
    open: summary.open,
    uncertain: summary.uncertain,
    cutShort: summary.cutShort,
    warnings: summary.warnings,
    ...(summary.causes !== undefined && { causes: summary.causes }),
    ...(summary.notBegun !== undefined && { notBegun: summary.notBegun }),
    ...(summary.scenarios !== undefined && { scenarios: summary.scenarios }),
    ...(summary.baseline !== undefined && { baseline: summary.baseline }),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}
