import { plainText } from '../../../suites/kit/reporting/colours.ts';
import { terminalReport } from '../../../suites/kit/reporting/terminal/terminal-report.ts';
import type { Summary } from '../../../suites/kit/model/summary.ts';

/** What was only watched cannot be played again. */
function again(checkId: string): string {
  return `chat-conformance explain ${checkId}`;
}

/** What stands against a caller, for people; undefined: it kept every clause that was put to the question. */
export function violationsText(summary: Summary): string | undefined {
  if (summary.outcome === 'conformant') return undefined;
  return terminalReport(summary, { styleText: plainText, detail: 'failures', rerunCommand: again }).trimEnd();
}

/** Throws unless the caller that was judged is faithful: with what it did, and when. */
export function assertFaithful(summary: Summary): void {
  const against = violationsText(summary);
  if (against !== undefined) throw new Error(`the caller is not faithful\n${against}`);
}
