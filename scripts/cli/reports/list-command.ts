import { CALLER_CHECKS } from '../../../suites/caller-catalogue.ts';
import { catalogueOf } from '../modules/catalogue-of.ts';
import { writeLine } from '../terminal/output.ts';
import { checkEntries, clauseEntries, type CheckEntry, type ClauseEntry } from './catalogue-entries.ts';

interface ListFlags {
  readonly json?: boolean;
  readonly checks?: string;
}

/** `chat-conformance list`: every check, and every clause with its checks. */
export async function runListCommand({ json = false, ...flags }: ListFlags): Promise<void> {
  const catalogue = { ...(await catalogueOf(flags)), callerChecks: CALLER_CHECKS };
  const [checks, clauses] = [checkEntries(catalogue), clauseEntries(catalogue)];
  if (json) {
    writeLine(JSON.stringify({ checks, clauses }, undefined, 2));
    return;
  }
  const lines = ['Checks', ...checks.map(checkText), '', 'Clauses', ...clauses.map(clauseText)];
  writeLine(lines.join('\n'));
}

function checkText({ id, clauses, level, title }: CheckEntry): string {
  return `  ${id}  ${[...clauses, `(${level})`].join(' ')}\n      ${title}`;
}

function clauseText({ id, level, bound, statement, checks, notYet }: ClauseEntry): string {
  const covered =
    checks.length > 0 ? checks.join(' ') : `no check${notYet === undefined ? '' : `: ${notYet}`}`;
  return `  ${id}  ${level}, ${bound}\n      ${statement}\n      ${covered}`;
}
