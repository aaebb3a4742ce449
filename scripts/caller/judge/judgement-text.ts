import { styleText } from 'node:util';
import type { Sandbox } from '../../../mock-server/sandboxes/sandbox.ts';
import type { Paint } from '../../../suites/kit/reporting/colours.ts';
import { terminalReport } from '../../../suites/kit/reporting/terminal/terminal-report.ts';
import { judgeSandbox } from './judge-sandbox.ts';

const paint: Paint = (style, text) => styleText(style, text, { stream: process.stderr });

/** What was only watched cannot be played again. */
function again(checkId: string): string {
  return `chat-conformance explain ${checkId}`;
}

/** The verdicts on whoever called a sandbox, for a terminal. */
export function judgementText(sandbox: Sandbox): string {
  return terminalReport(judgeSandbox(sandbox), { paint, detail: 'everything', again }).trimEnd();
}
