import type { CheckResult, ShownExchange, Summary } from '../model/summary.ts';
import { clausesText, displayReason, isFailing, isWarning } from './display-verdict.ts';
import { adviceOn, type FailureGroup, failureGroups } from './failure-groups.ts';
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
  /** What to change, each line under its label. */
  readonly advice: ReturnType<typeof adviceOn>;
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
  return {
    results,
    clauses: clausesText({ clauses }),
    text: displayReason(results[0]),
    advice: adviceOn(advice),
  };
}
