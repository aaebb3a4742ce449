import type { CheckResult, ShownExchange, Summary, Verdict } from '../model/summary.ts';
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
  readonly kind: Kind;
  readonly title: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly items: readonly Item[];
}

type Kind = keyof typeof TITLES;

/** In the order in which a page shows them. */
const TITLES = {
  'not-begun': ['error', 'The run could not begin'],
  failures: ['error', 'Failures'],
  baseline: ['error', 'Baseline out of date'],
  'failed-on': ['error', 'What --fail-on names'],
  known: ['note', 'Known failures'],
  warnings: ['warning', 'Warnings'],
  workspace: ['warning', 'Check these in the workspace'],
  'cut-short': ['warning', 'Cut short'],
  incomplete: ['warning', 'Incomplete'],
  limits: ['warning', 'Limits of this run'],
} as const;

export interface Item {
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

/** The sections of a summary that are not empty, in order. */
export function sections(summary: Summary): readonly Section[] {
  const items = itemsOf(summary);
  return kinds()
    .map((kind) => ({ kind, severity: TITLES[kind][0], title: TITLES[kind][1], items: items[kind] }))
    .filter((section) => section.items.length > 0);
}

function kinds(): readonly Kind[] {
  const isKind = (word: string): word is Kind => Object.hasOwn(TITLES, word);
  return Object.keys(TITLES).filter(isKind);
}

function itemsOf(summary: Summary): Readonly<Record<Kind, readonly Item[]>> {
  const { notBegun, baseline, failedOn = [], checks, warnings } = summary;
  const isBegun = notBegun === undefined;
  return {
    'not-begun': isBegun ? [] : [notBegun.reason, ...firstAnswerLines(notBegun)].map(asItem),
    failures: failureGroups(summary, isFailing).map(groupItem),
    baseline: (baseline?.problems ?? []).map(asItem),
    'failed-on': failedOn.map(asItem),
    known: checks.filter(({ known }) => known !== undefined).map(resultItem),
    warnings: failureGroups(summary, isWarning).map(groupItem),
    workspace: summary.uncertain.map(({ id, idempotencyKey, reason, exchange }) => {
      const key =
        idempotencyKey === undefined
          ? `sent without an Idempotency-Key (${id})`
          : `Idempotency-Key ${idempotencyKey}`;
      return { ...asItem(`${key}: ${reason}`), exchange };
    }),
    'cut-short': isBegun ? summary.cutShort.map(asItem) : [],
    incomplete: isBegun ? incompleteReasons(summary).map(asItem) : [],
    limits: warnings.map(asItem),
  };
}

function asItem(text: string): Item {
  return { results: [], clauses: '', text, advice: [] };
}

function resultItem(result: CheckResult): Item {
  return { results: [result], clauses: clausesText(result), text: displayReason(result), advice: [] };
}

function groupItem({ results, clauses, ...advice }: FailureGroup): Item {
  return { ...resultItem(results[0]), results, clauses: clausesText({ clauses }), advice: adviceOn(advice) };
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
  const rows = latency.map(({ endpoint, came, answers, p50, p95 }) => ({
    cells: [endpoint, came, ...[answers, p50, p95].map(String)],
  }));
  return { title: 'Latency', head: ['endpoint', 'came', 'answers', 'p50 (ms)', 'p95 (ms)'], rows };
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
