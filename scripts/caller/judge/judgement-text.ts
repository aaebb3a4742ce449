import type { Sandbox } from '../../../mock-server/sandboxes/sandbox.ts';
import { styleTextFor } from '../../../suites/kit/reporting/colours.ts';
import { terminalReport } from '../../../suites/kit/reporting/terminal/terminal-report.ts';
import { judgeSandbox } from './judge-sandbox.ts';

/** What was only watched cannot be played again. */
function again(checkId: string): string {
  return `chat-conformance explain ${checkId}`;
}

/** The verdicts on whoever called a sandbox, for a terminal. */
export function judgementText(sandbox: Sandbox): string {
  return terminalReport(judgeSandbox(sandbox), {
    styleText: styleTextFor(process.stderr),
    detail: 'everything',
    rerunCommand: again,
  }).trimEnd();
}
