import { CLAUSES, type ClauseId } from '../../../fixtures/clauses/clauses.ts';
import {
  OPEN_POINTS,
  isOpenPointName,
  openPoints,
  type OpenPointName,
} from '../../../fixtures/clauses/open-points.ts';
import { didYouMean } from '../../../fixtures/words/did-you-mean.ts';
import { CALLER_CHECKS } from '../../../suites/caller-catalogue.ts';
import { allAdvice } from '../../../suites/caller/advice.ts';
import { pinText } from '../../../suites/engine/files/read-profile.ts';
import { isOwn, type Thresholds } from '../../../suites/engine/model/check.ts';
import { KEY_NAMES, SECRET_VARIABLES } from '../../../suites/engine/model/exchange.ts';
import { skipReasonOf, type Stimulus } from '../../../suites/engine/model/stimulus.ts';
import type { TargetInfo } from '../../../suites/engine/model/target.ts';
import { counted } from '../../../suites/engine/reports/display-verdict.ts';
import { remedyText } from '../../../suites/engine/reports/sections.ts';
import { exampleRequest, inputsOf } from '../../../suites/engine/running/example-request.ts';
import { PLACES_READ } from '../../../suites/engine/summary/places-read.ts';
import { remediesOfClauses } from '../../../suites/engine/summary/remedies.ts';
import { curlLine } from '../../../suites/engine/text/curl-line.ts';
import { printable } from '../../../suites/engine/text/printable.ts';
import { shellWord } from '../../../suites/engine/text/shell-text.ts';
import { difference } from '../../../suites/engine/text/show-exchange.ts';
import { LARGEST_FILLED } from '../../../suites/limits/token-limits.ts';
import { type Catalogue, catalogueOf } from '../modules/catalogue.ts';
import { PERMISSIONS, sizeOf } from '../options/check-table.ts';
import type { EXPLAIN_OPTIONS } from '../options/command-tables.ts';
import type { FlagsOf } from '../options/option.ts';
import { invocation } from '../terminal/own-package.ts';
import { UsageError, writeLine } from '../terminal/terminal.ts';
import { type CheckEntry, type ClauseEntry, entriesOf } from './catalogue-commands.ts';

/** `chat-conformance explain NAME`. Returns what a check would select to send what it is about. */
export async function runExplainCommand(name: string, flags: FlagsOf<typeof EXPLAIN_OPTIONS>) {
  const catalogue = await catalogueOf(flags);
  writeLine(await explain(name, catalogue, flags.checks));
  if (catalogue.checks.some(({ given }) => given.name === name)) return { send: [name], only: [] };
  return { only: [isOpenPointName(name) ? OPEN_POINTS[name].clause : name] };
}

type Row = readonly [label: string, text: string];

/** What a name stands for: the checks and clauses that it is about, and rows of its own before and after theirs. */
interface Subject {
  readonly name: string;
  readonly checks: readonly CheckEntry[];
  readonly clauses: readonly ClauseId[];
  readonly head: readonly Row[];
  readonly tail: readonly Row[];
}

/**
 * What a check, a clause, a section, a kind of requests or an open point is about. `file`: the module that the user's own
 * checks come from.
 * @throws {UsageError} Given an unknown name.
 */
export async function explain(name: string, catalogue: Catalogue, file?: string): Promise<string> {
  const all = entriesOf(catalogue);
  const subject = subjectOf(name, all, file);
  if (subject !== undefined) {
    const { checks, clauses, head, tail } = subject;
    const ids = checks.map(({ id }) => id);
    const sent = await sentRows(ids, catalogue);
    const rows = [...head, ...sent, ...judgedRows(ids, clauses, catalogue), ...tail];
    const shown = rows.filter(([, text]) => text !== '');
    return [subject.name, ...shown.map(([label, text]) => `  ${label.padEnd(8)} ${text}`)].join('\n');
  }
  if (isOwn({ id: name }) && file === undefined)
    throw new UsageError(`no check is called "${name}": --checks FILE names the module that declares it`);
  const known = [
    ...[...all.checks, ...all.clauses].map(({ id }) => id),
    ...all.clauses.map(({ section }) => section),
    ...catalogue.checks.map(({ given }) => given.name),
    ...Object.keys(OPEN_POINTS),
  ];
  const suggestion =
    didYouMean(name, [...new Set(known)]) ||
    `: ${invocation()} list shows checks and clauses, --plan kinds of requests`;
  throw new UsageError(
    `no check, clause, section, kind of requests or open point is called "${name}"${suggestion}`,
  );
}

function subjectOf(
  name: string,
  { checks: all, clauses }: ReturnType<typeof entriesOf>,
  file: string | undefined,
): Subject | undefined {
  const check = all.find(({ id }) => id === name);
  if (check !== undefined) return ofCheck(check, file);
  if (isOpenPointName(name)) return { name, checks: [], clauses: [], head: pointRows(name), tail: [] };
  const clause = clauses.find(({ id }) => id === name.toUpperCase());
  const named =
    clause === undefined ? clauses.filter(({ section }) => section === name.toLowerCase()) : [clause];
  const ids = new Set(named.flatMap(({ checks }) => checks));
  const checks = all.filter(({ id, sent }) => ids.has(id) || kindIn(sent) === name);
  if (checks.length + named.length === 0) return undefined;
  const isKind = named.length === 0;
  const about = isKind ? [...new Set(checks.flatMap((each) => each.clauses))] : named.map(({ id }) => id);
  const open = clause === undefined ? [] : openPoints(clause.id);
  return {
    name: clause?.id ?? name,
    checks,
    clauses: about,
    head: [
      ...(clause === undefined ? about.map(statementRow) : clauseRows(clause, checks)),
      ...checks.map(({ id, title }): Row => ['check', `${id}: ${title}`]),
    ],
    tail: [
      ...open.map(({ name: point, what }): Row => ['open', `${point}: ${what}`]),
      ['run', isKind ? `${invocation()} --send ${name}` : ''],
    ],
  };
}

/** The kind of the requests that a check judges; undefined where it sends none. */
function kindIn(sent: CheckEntry['sent']): string | undefined {
  return typeof sent === 'object' && 'stimulus' in sent ? sent.stimulus : undefined;
}

function statementRow(id: ClauseId): Row {
  return ['clause', `${id} (${CLAUSES[id].level}): ${CLAUSES[id].statement}`];
}

function ofCheck(check: CheckEntry, file: string | undefined): Subject {
  const { id, level, title, clauses, because = '', decides = [], sent } = check;
  const subject = clauses.some((each) => CLAUSES[each].bound === 'caller') ? 'caller' : 'service';
  const scenarios = typeof sent === 'object' && 'scenarios' in sent ? sent.scenarios : undefined;
  const judges =
    scenarios === undefined ? 'every exchange of a run' : `callers in the scenarios ${scenarios.join(', ')}`;
  const from = file !== undefined && isOwn(check) ? ` --checks ${shellWord(file)}` : '';
  const command =
    scenarios === undefined ? `${from} --only ${id}` : ` caller --scenario ${scenarios.join(',')} -- COMMAND`;
  return {
    name: id,
    checks: [check],
    clauses,
    head: [
      ['level', level],
      [level === 'open' ? 'open' : 'holds if', `the ${subject} ${title}`],
      ['because', because],
      ['decides', decides.join(', ')],
      ...clauses.map(statementRow),
      ['sent', kindIn(sent) === undefined ? `nothing: it judges ${judges}` : ''],
    ],
    tail: [['run', `${invocation()}${command}`]],
  };
}

/** How checks judge, and what to do where one fails: their limits, what they read, and what usually mends it. */
function judgedRows(
  ids: readonly string[],
  clauses: readonly ClauseId[],
  { checks, invariants }: Catalogue,
): readonly Row[] {
  const judging: readonly { readonly id: string; readonly thresholds?: Thresholds }[] = [
    ...checks,
    ...invariants,
  ];
  const limits = judging.flatMap(({ id, thresholds = {} }) =>
    ids.includes(id) ? Object.entries(thresholds) : [],
  );
  const places = new Set(clauses.flatMap((id) => PLACES_READ[id] ?? []));
  const mended = CALLER_CHECKS.flatMap(({ id }) => (ids.includes(id) ? allAdvice(id) : []));
  return [
    ...[...new Map(limits)].map(([what, limit]): Row => ['limit', `${limit}: ${what}`]),
    ...[...places].map(({ pins = [], in: holders, names }): Row => {
      const within = holders.map((pointer) => pointer || 'the root').join(', ');
      return [
        'reads',
        `${pins[0] ?? 'by name'}: ${names.join(' ')} (in ${within}; in any case, with any separator)`,
      ];
    }),
    ...remediesOfClauses(clauses).map((remedy): Row => ['usually', remedyText(remedy)]),
    ...[...new Set(mended)].map((remedy): Row => ['mend', remedy]),
  ];
}

/** What examples are made for, the first one to which the kind of requests can be sent: every key, and small or large contexts. */
const EXAMPLE_TARGETS = [LARGEST_FILLED / 8, 2 * LARGEST_FILLED].map((contextTokens): TargetInfo => ({
  profile: {},
  keys: new Set(KEY_NAMES),
  control: true,
  outputTokens: sizeOf('full', 'live').caps.outputTokens,
  thrifty: true,
  models: [
    { id: 'small-1', vision: false, contextTokens },
    { id: 'large-1', vision: true, contextTokens: 2 * contextTokens },
  ],
  secondModels: [{ id: 'small-1' }],
}));

const EXAMPLE_PLACE = { baseUrl: 'https://host.example/v1', headers: [] };

/** What these checks send: each kind of requests, how many inputs of it, and one of its requests. */
async function sentRows(ids: readonly string[], { checks }: Catalogue): Promise<readonly Row[]> {
  const kinds = new Set(checks.flatMap(({ id, given }) => (ids.includes(id) ? given : [])));
  return (await Promise.all([...kinds].map(rowsOfKind))).flat();
}

async function rowsOfKind(kind: Stimulus): Promise<readonly Row[]> {
  const head = `${kind.name} (stage ${kind.stage})`;
  const allowed = new Set(PERMISSIONS);
  const target = EXAMPLE_TARGETS.find((each) => skipReasonOf(kind, each, allowed) === undefined);
  if (target === undefined) return [['sent', head]];
  const { known, of, random, replaced, isDrawn } = inputsOf(kind, target);
  const others = replaced === 0 ? '' : `, of which another seed replaces ${replaced}`;
  const drawn = random === 0 ? '' : ` and ${counted(random, 'random one')}`;
  const more = isDrawn ? ` and ${sizeOf('exhaustive', 'live').runs} random ones` : '';
  const { exchange, counterpart } = (await exampleRequest(kind, target)) ?? {};
  const place = exchange && counterpart && difference(exchange, counterpart);
  const armed = exchange?.armed === undefined ? undefined : 'sent while a fault is armed for it';
  return [
    ['sent', `${head}; inputs: --tier full ${known} of ${of}${others}${drawn}, exhaustive all ${of}${more}`],
    ['example', exchange === undefined ? '' : shownLine(curlLine(EXAMPLE_PLACE, exchange))],
    ['', armed ?? (place === undefined ? '' : `differs only in ${place} from an accepted request`)],
  ];
}

/** A part of a line could not be run. */
function shownLine(line: string): string {
  return line.length > 1000 ? `not shown: its curl has ${line.length} characters` : printable(line, 1000);
}

const NEEDS: Readonly<Record<NonNullable<ClauseEntry['needs']>[number], string>> = {
  'second-key': `a second key (${SECRET_VARIABLES['keys.second']})`,
  'unscoped-key': `a key without the inference scope (${SECRET_VARIABLES['keys.unscoped']})`,
  workspace: 'access to the workspace (--control-url)',
  'fault-control': 'a target that can fail on demand (--control-url)',
  'model-without-vision': 'a model without vision',
  'permission-disruptive': 'permission to disturb the service (--allow disruptive)',
};

function clauseRows(clause: ClauseEntry, checks: readonly CheckEntry[]): readonly Row[] {
  const { duties = [], furtherDuties = [] } = clause;
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
  ];
}

function pointRows(name: OpenPointName): readonly Row[] {
  const { clause, what, value } = OPEN_POINTS[name];
  return [
    ['says', what],
    ['value', pinText(value)],
    ['clause', `${clause}: checked only when a profile pins it`],
    ['pin', `{"format":"chat-conformance/profile","version":1,"pins":{"${name}":…}}`],
  ];
}
