import { CALLER_CHECKS } from '../../../suites/caller-catalogue.ts';
import { CHECKS } from '../../../suites/catalogue.ts';
import { INVARIANTS } from '../../../suites/invariants.ts';
import { explain } from './explain.ts';
import { writeLine } from '../write-line.ts';

/** `chat-conformance explain ID`. */
export function runExplainCommand(name: string): void {
  writeLine(explain(name, { checks: CHECKS, invariants: INVARIANTS, callerChecks: CALLER_CHECKS }));
}
