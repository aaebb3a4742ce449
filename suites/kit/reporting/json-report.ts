import type { Summary } from '../model/summary.ts';
import type { ReadReport } from './report-schema.ts';

/** The keys of `report.json`, which others may depend on. */
export type JsonReport = Summary & Readonly<Pick<ReadReport, 'format' | 'version'>>;

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
    ...(summary.baseline !== undefined && { baseline: summary.baseline }),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}
