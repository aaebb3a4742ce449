import { styleText } from 'node:util';
import { compareReports, isWorse, comparisonText } from '../../../suites/kit/reporting/comparison.ts';
import { readReport } from '../../../suites/kit/reporting/report-schema.ts';
import type { Paint } from '../../../suites/kit/reporting/colours.ts';
import { EXIT } from '../terminal/exit.ts';
import { writeLine } from '../terminal/write-line.ts';

const paint: Paint = (style, text) => styleText(style, text, { stream: process.stdout });

/**
 * `chat-conformance diff A B`: which verdicts changed, and why; returns the exit code.
 * @throws {FileError} Given what is no report.
 */
export function runDiffCommand(
  before: string,
  after: string,
  { json = false }: { readonly json?: boolean },
): number {
  const comparison = compareReports(readReport(before), readReport(after));
  writeLine(json ? JSON.stringify(comparison, undefined, 2) : comparisonText(comparison, paint));
  return isWorse(comparison) ? EXIT.violations : EXIT.conformant;
}
