import { styleTextFor } from '../../../suites/kit/reporting/colours.ts';
import { compareReports, isWorse, comparisonText } from '../../../suites/kit/reporting/comparison.ts';
import { readReport } from '../../../suites/kit/reporting/report-schema.ts';
import { EXIT } from '../terminal/exit.ts';
import { writeLine } from '../terminal/output.ts';

/**
 * `chat-conformance diff A B`: which verdicts changed, and why; returns the exit code.
 * @throws {FileError} Given a file that is not a report.
 */
export function runDiffCommand(
  before: string,
  after: string,
  { json = false }: { readonly json?: boolean },
): number {
  const comparison = compareReports(readReport(before), readReport(after));
  writeLine(
    json
      ? JSON.stringify(comparison, undefined, 2)
      : comparisonText(comparison, styleTextFor(process.stdout)),
  );
  return isWorse(comparison) ? EXIT.violations : EXIT.conformant;
}
