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
import { UsageError, writeLine } from '../terminal/terminal.ts';
import { type CheckEntry, type ClauseEntry, entriesOf } from './catalogue-commands.ts';

/** `chat-conformance explain NAME`. */
export async function runExplainCommand(name: string, flags: FlagsOf<typeof EXPLAIN_OPTIONS>): Promise<void> {
  writeLine(await explain(name, await catalogueOf(flags), flags.checks));
}

type Row = readonly [label: string, text: string];

/**
 * What a check, a clause, a section, a kind of requests or an open point is about. `file`: the module that the user's own
 * checks come from.
 * @throws {UsageError} Given an unknown name.
 */
export async function explain(name: string, catalogue: Catalogue, file?: string): Promise<string> {
  const { checks, clauses } = entriesOf(catalogue);
  const check = checks.find(({ id }) => id === name);
  if (check !== undefined) return labelled(name, await aboutCheck(check, catalogue, file));
  const clause = clauses.find(({ id }) => id === name.toUpperCase());
  if (clause !== undefined) return labelled(clause.id, await aboutClause(clause, checks, catalogue));
  const inSection = clauses.filter(({ section }) => section === name.toLowerCase());
  if (inSection.length > 0) return labelled(name, await aboutSection(inSection, checks, catalogue));
  const kind = catalogue.checks.find(({ given }) => given.name === name)?.given;
  if (kind !== undefined) return labelled(name, await aboutKind(kind, checks, catalogue));
  if (isOpenPointName(name)) return labelled(name, aboutPoint(name));
  if (isOwn({ id: name }) && file === undefined)
    throw new UsageError(`no check is called "${name}": --checks FILE names the module that declares it`);
  const known = [
    ...[...checks, ...clauses].map(({ id }) => id),
    ...clauses.map(({ section }) => section),
    ...catalogue.checks.map(({ given }) => given.name),
    ...Object.keys(OPEN_POINTS),
  ];
  const suggestion =
    didYouMean(name, [...new Set(known)]) ||
    ': chat-conformance list shows checks and clauses, --plan kinds of requests';
  throw new UsageError(
    `no check, clause, section, kind of requests or open point is called "${name}"${suggestion}`,
  );
}

/** Labelled lines below a name, without those that have no text. */
function labelled(name: string, rows: readonly Row[]): string {
  const shown = rows.filter(([, text]) => text !== '');
  return [name, ...shown.map(([label, text]) => `  ${label.padEnd(8)} ${text}`)].join('\n');
}

async function aboutCheck(check: CheckEntry, catalogue: Catalogue, file?: string): Promise<readonly Row[]> {
  const subject = check.clauses.some((id) => CLAUSES[id].bound === 'caller') ? 'caller' : 'service';
  return [
    ['level', check.level],
    ...(await sentRows([check.id], catalogue)),
    ['sent', unsentText(check)],
    [check.level === 'open' ? 'open' : 'holds if', `the ${subject} ${check.title}`],
    ['because', check.because ?? ''],
    ['decides', (check.decides ?? []).join(', ')],
    ...check.clauses.map((id): Row => ['clause', `${id} (${CLAUSES[id].level}): ${CLAUSES[id].statement}`]),
    ...judgedRows([check.id], check.clauses, catalogue),
    ['run', commandText(check, file)],
  ];
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

async function aboutSection(
  clauses: readonly ClauseEntry[],
  all: readonly CheckEntry[],
  catalogue: Catalogue,
): Promise<readonly Row[]> {
  const ids = clauses.flatMap(({ checks }) => checks);
  const own = all.filter(({ id }) => ids.includes(id));
  const named = clauses.map(({ id }) => id);
  return [
    ...clauses.map(({ id, level, statement }): Row => ['clause', `${id} (${level}): ${statement}`]),
    ...own.map(({ id, title }): Row => ['check', `${id}: ${title}`]),
    ...(await sentRows(ids, catalogue)),
    ...judgedRows(ids, named, catalogue),
  ];
}

async function aboutKind(
  kind: Stimulus,
  all: readonly CheckEntry[],
  catalogue: Catalogue,
): Promise<readonly Row[]> {
  const ids = catalogue.checks.filter(({ given }) => given === kind).map(({ id }) => id);
  const own = all.filter(({ id }) => ids.includes(id));
  const clauses = new Set(own.flatMap((check) => check.clauses));
  return [
    ...(await sentRows(ids, catalogue)),
    ...own.map(({ id, title }): Row => ['check', `${id}: ${title}`]),
    ...judgedRows(ids, [...clauses], catalogue),
    ['run', `chat-conformance --send ${kind.name}`],
  ];
}

/** A target with every key, that says which model sees images. */
const EXAMPLE_TARGET: TargetInfo = {
  profile: {},
  keys: new Set(KEY_NAMES),
  control: true,
  outputTokens: sizeOf('full', 'live').caps.outputTokens,
  thrifty: true,
  models: [
    { id: 'small-1', vision: false },
    { id: 'large-1', vision: true },
  ],
  secondModels: [{ id: 'small-1' }],
};

/** Such a target whose models hold so much. */
function sized(small: number, large: number): TargetInfo {
  const [first, ...others] = EXAMPLE_TARGET.models;
  const models = [
    { ...first, contextTokens: small },
    ...others.map((model) => ({ ...model, contextTokens: large })),
  ] as const;
  return { ...EXAMPLE_TARGET, models };
}

/** What examples are made for: the first target to which the kind of requests can be sent. */
const EXAMPLE_TARGETS = [
  sized(LARGEST_FILLED / 8, LARGEST_FILLED / 2),
  sized(2 * LARGEST_FILLED, 4 * LARGEST_FILLED),
  EXAMPLE_TARGET,
];

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
    ['example', exchange === undefined ? '' : printable(curlLine(EXAMPLE_PLACE, exchange), 1000)],
    ['', armed ?? (place === undefined ? '' : `differs only in ${place} from an accepted request`)],
  ];
}

/** Why it sends nothing; empty where it does. */
function unsentText({ sent }: CheckEntry): string {
  if (sent === 'every exchange') return 'nothing: it judges every exchange of a run';
  if ('scenarios' in sent) return `nothing: it judges callers in the scenarios ${sent.scenarios.join(', ')}`;
  return '';
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

async function aboutClause(
  clause: ClauseEntry,
  all: readonly CheckEntry[],
  catalogue: Catalogue,
): Promise<readonly Row[]> {
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
    ...(await sentRows(clause.checks, catalogue)),
    ...judgedRows(clause.checks, [clause.id], catalogue),
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
