import { CLAUSES, type ClauseId } from '../../../fixtures/clauses/clauses.ts';
import {
  OPEN_POINTS,
  isOpenPointName,
  openPoints,
  type OpenPointName,
} from '../../../fixtures/clauses/open-points.ts';
import { didYouMean } from '../../../fixtures/words/did-you-mean.ts';
import { CALLER_CHECKS } from '../../../suites/caller-catalogue.ts';
import { pinText } from '../../../suites/engine/files/read-profile.ts';
import { isOwn } from '../../../suites/engine/model/check.ts';
import { SECRET_VARIABLES } from '../../../suites/engine/model/exchange.ts';
import { remedyText } from '../../../suites/engine/reports/failure-groups.ts';
import { remediesOfClauses } from '../../../suites/engine/summary/remedies.ts';
import { shellWord } from '../../../suites/engine/text/shell-text.ts';
import { catalogueOf } from '../modules/catalogue-of.ts';
import type { EXPLAIN_OPTIONS, LIST_OPTIONS } from '../options/command-tables.ts';
import type { FlagsOf } from '../options/option.ts';
import type { Catalogue } from '../options/select-checks.ts';
import { UsageError } from '../terminal/exit.ts';
import { writeLine } from '../terminal/output.ts';
import { checkEntries, clauseEntries, type CheckEntry, type ClauseEntry } from './catalogue-entries.ts';

/** `chat-conformance list`: every check, and every clause with its checks. */
export async function runListCommand({
  json = false,
  ...flags
}: FlagsOf<typeof LIST_OPTIONS>): Promise<void> {
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

/** `chat-conformance explain ID`. */
export async function runExplainCommand(name: string, flags: FlagsOf<typeof EXPLAIN_OPTIONS>): Promise<void> {
  const catalogue = { ...(await catalogueOf(flags)), callerChecks: CALLER_CHECKS };
  writeLine(explain(name, catalogue, flags.checks));
}

/**
 * What a check, a clause or an open point is about. `file`: the module that the user's own checks come from.
 * @throws {UsageError} Given an unknown name.
 */
export function explain(name: string, catalogue: Catalogue, file?: string): string {
  const [checks, clauses] = [checkEntries(catalogue), clauseEntries(catalogue)];
  const check = checks.find(({ id }) => id === name);
  if (check !== undefined) return aboutCheck(check, checks, clauses, file);
  const clause = clauses.find(({ id }) => id === name.toUpperCase());
  if (clause !== undefined) return aboutClause(clause, checks);
  if (isOpenPointName(name)) return aboutPoint(name);
  if (isOwn({ id: name }) && file === undefined)
    throw new UsageError(`no check is called "${name}": --checks FILE names the module that declares it`);
  const known = [...checks, ...clauses].map(({ id }) => id);
  const suggestion =
    didYouMean(name, [...known, ...Object.keys(OPEN_POINTS)]) ||
    ': chat-conformance list shows checks and clauses';
  throw new UsageError(`no check, clause or open point is called "${name}"${suggestion}`);
}

function aboutCheck(
  check: CheckEntry,
  all: readonly CheckEntry[],
  clauses: readonly ClauseEntry[],
  file: string | undefined,
): string {
  const own = clauses.filter(({ id }) => check.clauses.includes(id));
  const related = all.filter(
    ({ id, clauses: theirs }) => id !== check.id && theirs.some((one) => check.clauses.includes(one)),
  );
  const rows = labelled([
    ['level', check.level],
    ['sent', sentText(check)],
    [check.level === 'open' ? 'open' : 'holds if', `the ${subjectOf(check)} ${check.title}`],
    ['because', check.because ?? ''],
    ['decides', (check.decides ?? []).join(', ')],
    ...own.map(({ id, level, statement }) => ['clause', `${id} (${level}): ${statement}`] as const),
    ...usualRows(check.clauses),
    ['related', related.map(({ id }) => id).join(' ')],
    ['run', commandText(check, file)],
  ]);
  return [check.id, ...rows].join('\n');
}

/** What usually causes its failures, and the line that mends each. */
function usualRows(clauses: readonly ClauseId[]): readonly (readonly [label: string, text: string])[] {
  return remediesOfClauses(clauses).map((remedy) => ['usually', remedyText(remedy)] as const);
}

function sentText({ sent }: CheckEntry): string {
  if (sent === 'every exchange') return 'nothing: it judges every exchange of a run';
  if ('scenarios' in sent) return `nothing: it judges callers in the scenarios ${sent.scenarios.join(', ')}`;
  return `${sent.stimulus.replaceAll('-', ' ')} (stage ${sent.stage})`;
}

function subjectOf({ clauses }: CheckEntry): 'service' | 'caller' {
  return clauses.some((id) => CLAUSES[id].bound === 'caller') ? 'caller' : 'service';
}

function commandText({ id, sent }: CheckEntry, file: string | undefined): string {
  const from = file !== undefined && isOwn({ id }) ? ` --checks ${shellWord(file)}` : '';
  if (sent === 'every exchange' || !('scenarios' in sent)) return `chat-conformance${from} --only ${id}`;
  return `chat-conformance caller --scenario ${sent.scenarios.join(',')} -- COMMAND`;
}

const NEEDS: Readonly<Record<NonNullable<ClauseEntry['needs']>[number], string>> = {
  'second-key': `a second key (${SECRET_VARIABLES['keys.second']})`,
  'unscoped-key': `a key without the inference scope (${SECRET_VARIABLES['keys.unscoped']})`,
  workspace: 'access to the workspace (--control-url)',
  'fault-control': 'a target that can fail on demand (--control-url)',
  'model-without-vision': 'a model without vision',
  'permission-disruptive': 'permission to disturb the service (--allow disruptive)',
};

function aboutClause(clause: ClauseEntry, all: readonly CheckEntry[]): string {
  const checks = all.filter(({ id }) => clause.checks.includes(id));
  const rows = labelled([
    ['says', clause.statement],
    ['level', clause.level],
    ['bound', clause.bound],
    ['section', clause.section],
    ['needs', (clause.needs ?? []).map((need) => NEEDS[need]).join(', ')],
    ['not yet', clause.notYet ?? ''],
    ...dutyRows(clause, checks),
    ...checks.map(({ id, title }) => ['check', `${id}: ${title}`] as const),
    ...usualRows([clause.id]),
    ...openPoints(clause.id).map(({ name, what }) => ['open', `${name}: ${what}`] as const),
  ]);
  return [clause.id, ...rows].join('\n');
}

/** The duties of a clause with the checks that decide each; it passes only where each of the first ones was seen. */
function dutyRows(
  { duties = [], furtherDuties = [] }: ClauseEntry,
  checks: readonly CheckEntry[],
): readonly (readonly [label: string, text: string])[] {
  const deciding = (duty: string): string =>
    checks.flatMap(({ id, decides = [] }) => (decides.includes(duty) ? id : [])).join(' ');
  return [
    ...duties.map((duty) => ['duty', `${duty}: ${deciding(duty)}`] as const),
    ...furtherDuties.map((duty) => ['further', `${duty}: ${deciding(duty)}`] as const),
  ];
}

function aboutPoint(name: OpenPointName): string {
  const { clause, what, value } = OPEN_POINTS[name];
  const rows = labelled([
    ['says', what],
    ['value', pinText(value)],
    ['clause', `${clause}: checked only when a profile pins it`],
    ['pin', `{"format":"chat-conformance/profile","version":1,"pins":{"${name}":…}}`],
  ]);
  return [name, ...rows].join('\n');
}

/** Labelled lines, without those that have no text. */
function labelled(rows: readonly (readonly [label: string, text: string])[]): readonly string[] {
  return rows.filter(([, text]) => text !== '').map(([label, text]) => `  ${label.padEnd(8)} ${text}`);
}
