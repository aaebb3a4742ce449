import type { Summary } from '../../model/summary.ts';
import type { ReportContext } from '../history.ts';
import { type Problem, problemsOf } from './problems.ts';

const SEVERITIES = {
  stated: 'critical',
  implied: 'major',
  convention: 'minor',
  open: 'info',
  known: 'info',
} as const satisfies Readonly<Record<Problem['weight'], string>>;

/** The text of `gl-code-quality-report.json`: an issue for each check that fails or warns, as GitLab Code Quality reads them. */
export function codeQualityReport(summary: Summary, context: ReportContext): string {
  const location = { path: context.sourceFile, lines: { begin: 1 } };
  const issues = problemsOf(summary, context).map(({ rule, weight, text, fingerprint, remedies }) => ({
    check_name: rule,
    description: [text, ...remedies].join(' · '),
    fingerprint,
    severity: SEVERITIES[weight],
    location,
  }));
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}
