import type { Clause } from '../../../fixtures/clauses/clause.ts';
import { CLAUSES, clauseIds, type ClauseId, type Level } from '../../../fixtures/clauses/clauses.ts';
import {
  OPEN_POINTS,
  isOpenPointName,
  openPoints,
  type OpenPointName,
} from '../../../fixtures/clauses/open-points.ts';
import { didYouMean } from '../../../fixtures/words/did-you-mean.ts';
import { CALLER_CHECKS } from '../../../suites/caller-catalogue.ts';
import { pinText } from '../../../suites/engine/files/read-profile.ts';
import { type Check, isOwn, levelOf } from '../../../suites/engine/model/check.ts';
import { SECRET_VARIABLES } from '../../../suites/engine/model/exchange.ts';
import { type Decides, decidedDuties } from '../../../suites/engine/model/ruling.ts';
import { remedyText } from '../../../suites/engine/reports/sections.ts';
import { remediesOfClauses } from '../../../suites/engine/summary/remedies.ts';
import { shellWord } from '../../../suites/engine/text/shell-text.ts';
import { scenariosOf } from '../../caller/scenarios.ts';
import { type Catalogue, catalogueOf } from '../modules/catalogue.ts';
import type { EXPLAIN_OPTIONS, LIST_OPTIONS } from '../options/command-tables.ts';
import type { FlagsOf } from '../options/option.ts';
import { UsageError, writeLine } from '../terminal/terminal.ts';

/** `chat-conformance list`: every check, and every clause with its checks. */
export async function runListCommand({
  json = false,
  ...flags
}: FlagsOf<typeof LIST_OPTIONS>): Promise<void> {
  const entries = entriesOf(await catalogueOf(flags));
  if (json) return writeLine(JSON.stringify(entries, undefined, 2));
  writeLine(['Checks', ...entries.checks.map(checkText)].join('\n'));
  writeLine(['\nClauses', ...entries.clauses.map(clauseText)].join('\n'));
}

function checkText({ id, clauses, level, title }: CheckEntry): string {
  return `  ${id}  ${[...clauses, `(${level})`].join(' ')}\n      ${title}`;
}

function clauseText({ id, level, bound, statement, checks }: ClauseEntry): string {
  return `  ${id}  ${level}, ${bound}\n      ${statement}\n      ${checks.join(' ') || 'no check'}`;
}

type Entries = ReturnType<typeof entriesOf>;
type CheckEntry = Entries['checks'][number];
/** With the IDs of its checks. */
type ClauseEntry = Entries['clauses'][number];

/** Every check, then every invariant, then every check of callers; and every clause, in the specification's order. */
export function entriesOf({ checks, invariants }: Catalogue) {
  const entries = [
    ...checks.map((check) => entryOf(check, { stimulus: check.given.name, stage: check.given.stage })),
    ...invariants.map((invariant) => entryOf(invariant, 'every exchange')),
    ...CALLER_CHECKS.map((check) =>
      entryOf(check, { scenarios: [...new Set(check.clauses.flatMap(scenariosOf))] }),
    ),
  ];
  const clauses = clauseIds().map((id) => {
    const clause: Clause = CLAUSES[id];
    const own = entries.filter((entry) => entry.clauses.includes(id));
    return { id, checks: own.map((check) => check.id), ...clause };
  });
  return { checks: entries, clauses };
}

/** What provokes it: a stimulus, which belongs to a stage; nothing, for an invariant; or scenarios of callers. */
type Sent =
  | { readonly stimulus: string; readonly stage: string }
  | 'every exchange'
  | { readonly scenarios: readonly string[] };

interface Described extends Pick<Check, 'id' | 'clauses' | 'title'> {
  readonly level?: Level;
  readonly because?: string;
  readonly decides?: Decides<never>;
}

/** The duties are those of its clauses that it decides. */
function entryOf(check: Described, sent: Sent) {
  const { id, clauses, title, decides, because } = check;
  const duties = decides === undefined ? undefined : [decidedDuties(decides)].flat();
  return { id, clauses, level: levelOf(check), title, sent, decides: duties, because };
}

/** `chat-conformance explain ID`. */
export async function runExplainCommand(name: string, flags: FlagsOf<typeof EXPLAIN_OPTIONS>): Promise<void> {
  writeLine(explain(name, entriesOf(await catalogueOf(flags)), flags.checks));
}

type Row = readonly [label: string, text: string];

/**
 * What a check, a clause or an open point is about. `file`: the module that the user's own checks come from.
 * @throws {UsageError} Given an unknown name.
 */
export function explain(name: string, { checks, clauses }: Entries, file?: string): string {
  const check = checks.find(({ id }) => id === name);
  const clause = clauses.find(({ id }) => id === name.toUpperCase());
  if (check !== undefined) return labelled(name, aboutCheck(check, file));
  if (clause !== undefined) return labelled(clause.id, aboutClause(clause, checks));
  if (isOpenPointName(name)) return labelled(name, aboutPoint(name));
  if (isOwn({ id: name }) && file === undefined)
    throw new UsageError(`no check is called "${name}": --checks FILE names the module that declares it`);
  const known = [...checks, ...clauses].map(({ id }) => id);
  const suggestion =
    didYouMean(name, [...known, ...Object.keys(OPEN_POINTS)]) ||
    ': chat-conformance list shows checks and clauses';
  throw new UsageError(`no check, clause or open point is called "${name}"${suggestion}`);
}

/** Labelled lines below a name, without those that have no text. */
function labelled(name: string, rows: readonly Row[]): string {
  const shown = rows.filter(([, text]) => text !== '');
  return [name, ...shown.map(([label, text]) => `  ${label.padEnd(8)} ${text}`)].join('\n');
}

function aboutCheck(check: CheckEntry, file?: string): readonly Row[] {
  const subject = check.clauses.some((id) => CLAUSES[id].bound === 'caller') ? 'caller' : 'service';
  return [
    ['level', check.level],
    ['sent', sentText(check)],
    [check.level === 'open' ? 'open' : 'holds if', `the ${subject} ${check.title}`],
    ['because', check.because ?? ''],
    ['decides', (check.decides ?? []).join(', ')],
    ...check.clauses.map((id): Row => ['clause', `${id} (${CLAUSES[id].level}): ${CLAUSES[id].statement}`]),
    ...usualRows(check.clauses),
    ['run', commandText(check, file)],
  ];
}

/** What usually causes its failures, and the line that mends each. */
function usualRows(clauses: readonly ClauseId[]): readonly Row[] {
  return remediesOfClauses(clauses).map((remedy) => ['usually', remedyText(remedy)]);
}

function sentText({ sent }: CheckEntry): string {
  if (sent === 'every exchange') return 'nothing: it judges every exchange of a run';
  if ('scenarios' in sent) return `nothing: it judges callers in the scenarios ${sent.scenarios.join(', ')}`;
  return `${sent.stimulus.replaceAll('-', ' ')} (stage ${sent.stage})`;
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

function aboutClause(clause: ClauseEntry, all: readonly CheckEntry[]): readonly Row[] {
  const { duties = [], furtherDuties = [] } = clause;
  const checks = all.filter(({ id }) => clause.checks.includes(id));
  // It passes only where each of its duties was seen; further ones need not be.
  const dutyRow = (label: string, duty: string): Row => {
    const deciding = checks.filter(({ decides = [] }) => decides.includes(duty));
    return [label, `${duty}: ${deciding.map(({ id }) => id).join(' ')}`];
  };
  return [
    ['says', clause.statement],
    ['level', clause.level],
    ['bound', clause.bound],
    ['section', clause.section],
    ['needs', (clause.needs ?? []).map((need) => NEEDS[need]).join(', ')],
    ...duties.map((duty) => dutyRow('duty', duty)),
    ...furtherDuties.map((duty) => dutyRow('further', duty)),
    ...checks.map(({ id, title }): Row => ['check', `${id}: ${title}`]),
    ...usualRows([clause.id]),
    ...openPoints(clause.id).map(({ name, what }): Row => ['open', `${name}: ${what}`]),
  ];
}

function aboutPoint(name: OpenPointName): readonly Row[] {
  const { clause, what, value } = OPEN_POINTS[name];
  return [
    ['says', what],
    ['value', pinText(value)],
    ['clause', `${clause}: checked only when a profile pins it`],
    ['pin', `{"format":"chat-conformance/profile","version":1,"pins":{"${name}":…}}`],
  ];
}
