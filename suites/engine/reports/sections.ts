import type { CheckResult, ShownExchange, Summary, UncertainRequest, Verdict } from '../model/summary.ts';
import { NOT_SELECTED } from '../summary/clause-results.ts';
import {
  clausesText,
  displayReason,
  displayVerdict,
  IN_PART,
  isFailing,
  isWarning,
  missingLines,
  triedInputs,
  verdictCounts,
} from './display-verdict.ts';
import { adviceOn, type FailureGroup, failureGroups } from './failure-groups.ts';
import type { Labelled } from './failure-parts.ts';
import { firstAnswerLines, incompleteReasons } from './incomplete.ts';

/** What a reader must know or do, beside the verdicts: a part of every report for people, made of texts that are not escaped yet. */
export interface Section {
  readonly kind:
    | 'not-begun'
    | 'failures'
    | 'baseline'
    | 'failed-on'
    | 'known'
    | 'warnings'
    | 'workspace'
    | 'cut-short'
    | 'incomplete'
    | 'limits';
  readonly title: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly items: readonly SectionItem[];
}

export interface SectionItem {
  /** The checks that it is about, which failed or warn alike. */
  readonly results: readonly CheckResult[];
  /** Of these checks; `own` for those of one's own. */
  readonly clauses: string;
  readonly text: string;
  /** What to change. */
  readonly advice: readonly Labelled[];
  /** The request that it is about. */
  readonly exchange?: ShownExchange;
}

/** The sections of a summary that are not empty, in the order in which a page shows them. */
export function sections(summary: Summary): readonly Section[] {
  const { notBegun, baseline, failedOn = [], checks, warnings, uncertain } = summary;
  const begin = notBegun && [notBegun.reason, ...firstAnswerLines(notBegun)];
  const [cutShort, incomplete] = begin ? [[], []] : [summary.cutShort, incompleteReasons(summary)];
  const known = checks.filter((each) => each.known !== undefined);
  return [
    section('not-begun', 'error', 'The run could not begin', (begin ?? []).map(asItem)),
    section('failures', 'error', 'Failures', failureGroups(summary, isFailing).map(groupItem)),
    section('baseline', 'error', 'Baseline out of date', (baseline?.problems ?? []).map(asItem)),
    section('failed-on', 'error', 'What --fail-on names', failedOn.map(asItem)),
    section('known', 'note', 'Known failures', known.map(resultItem)),
    section('warnings', 'warning', 'Warnings', failureGroups(summary, isWarning).map(groupItem)),
    section('workspace', 'warning', 'Check these in the workspace', uncertain.map(uncertainItem)),
    section('cut-short', 'warning', 'Cut short', cutShort.map(asItem)),
    section('incomplete', 'warning', 'Incomplete', incomplete.map(asItem)),
    section('limits', 'warning', 'Limits of this run', warnings.map(asItem)),
  ].filter(({ items }) => items.length > 0);
}

function section(
  kind: Section['kind'],
  severity: Section['severity'],
  title: string,
  items: readonly SectionItem[],
): Section {
  return { kind, severity, title, items };
}

function uncertainItem({ id, idempotencyKey, reason, exchange }: UncertainRequest): SectionItem {
  const key =
    idempotencyKey === undefined
      ? `sent without an Idempotency-Key (${id})`
      : `Idempotency-Key ${idempotencyKey}`;
  return { ...asItem(`${key}: ${reason}`), exchange };
}

function asItem(text: string): SectionItem {
  return { results: [], clauses: '', text, advice: [] };
}

function resultItem(result: CheckResult): SectionItem {
  return { results: [result], clauses: clausesText(result), text: displayReason(result), advice: [] };
}

function groupItem(group: FailureGroup): SectionItem {
  const { results } = group;
  return { ...resultItem(results[0]), results, clauses: clausesText(group), advice: adviceOn(group) };
}

/** A table of every report for people. */
export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly Row[];
}

interface Row {
  readonly verdict?: Verdict;
  readonly cells: readonly Cell[];
}

/** A text of ours; or one in which there may be anything, which is not escaped yet. */
export type Cell = string | { readonly said: string };

const said = (text: string): Cell => ({ said: text });

/** These mean little without their reason, so clauses are listed under it. */
export const NEED_A_REASON: ReadonlySet<Verdict> = new Set(['not-exercised', 'inconclusive', 'error']);

/** The clauses that a run was asked about, where it was asked about some, and how many others there are. */
export function selectedClauses({ clauses }: Pick<Summary, 'clauses'>) {
  const isPartial = clauses.some(({ reason }) => reason === NOT_SELECTED);
  const selected = isPartial ? clauses.filter(({ checks }) => checks.length > 0) : clauses;
  return { selected, others: clauses.length - selected.length };
}

/** Every clause with its verdict: in the first row of each verdict, how many have it. */
export function clauseTable(summary: Pick<Summary, 'clauses'>): Table {
  const { selected, others } = selectedClauses(summary);
  const rows = verdictCounts(selected).flatMap(({ verdict, word, count, results }) => {
    const named = (all: typeof results): string => all.map(({ id }) => id).join(' ');
    const byReason = [...Map.groupBy(results, ({ reason }) => reason)].map(([reason, same]) =>
      said(`${named(same)}: ${reason}`),
    );
    const inPart = results.flatMap((clause) =>
      missingLines(clause).map((line) => said(`${clause.id} without ${line}`)),
    );
    const decided = NEED_A_REASON.has(verdict) ? byReason : [named(results)];
    const texts = word === IN_PART ? inPart : decided;
    return texts.map((text, i) => ({ verdict, cells: [i === 0 ? `${count} ${word}` : '', text] }));
  });
  const left = others === 0 ? [] : [{ cells: [`${others} others`, 'no check of these was selected'] }];
  return { title: 'Clauses', head: ['verdict', 'clauses'], rows: [...rows, ...left] };
}

/** How long answers took; there is no threshold. */
export function latencyTable({ latency = [] }: Pick<Summary, 'latency'>): Table {
  const rows = latency.map(({ endpoint, result, answers, p50, p95 }) => ({
    cells: [endpoint, result, ...[answers, p50, p95].map(String)],
  }));
  return { title: 'Latency', head: ['endpoint', 'result', 'answers', 'p50 (ms)', 'p95 (ms)'], rows };
}

/** What the target does where the specification is silent. */
export function openPointTable({ open }: Pick<Summary, 'open'>): Table {
  const rows = open.map(({ clause, point, observed, varied, pinned }) => {
    const notes = [
      ...(varied === true ? ['it varied'] : []),
      ...(pinned === undefined ? [] : [`pinned: ${JSON.stringify(pinned)}`]),
    ];
    const note = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
    return { cells: [clause, said(point), said(`${JSON.stringify(observed)}${note}`)] };
  });
  return { title: 'Open points', head: ['clause', 'point', 'observed'], rows };
}

export function checkTable({ checks }: Pick<Summary, 'checks'>): Table {
  const rows = checks.map((result) => ({
    verdict: result.verdict,
    cells: [
      said(result.id),
      clausesText(result),
      displayVerdict(result),
      triedInputs(result),
      said(displayReason(result)),
    ],
  }));
  const head = ['check', 'clauses', 'verdict', 'inputs', 'reason'];
  return { title: `All ${checks.length} checks`, head, rows };
}
