import { isDeepStrictEqual } from 'node:util';
import type { ReadReport } from './report-schema.ts';
import type { FailureKind } from '../model/summary.ts';
import type { Verdict } from '../model/verdict.ts';
import { printable } from '../evidence/printable.ts';
import type { Paint, Style } from './colours.ts';

/** What became of one check or clause from one report to the next. */
export interface Change {
  readonly id: string;
  /** `new` and `gone`: only one of the reports has it. */
  readonly direction: Direction | 'new' | 'gone';
  readonly before?: Judged;
  readonly after?: Judged;
}

export interface OpenPointChange {
  readonly point: string;
  /** Undefined: not seen. */
  readonly before: unknown;
  readonly after: unknown;
}

/** How two reports differ. */
export interface Comparison {
  /** What else was not the same, and may be why. */
  readonly circumstances: readonly {
    readonly what: string;
    readonly before: string;
    readonly after: string;
  }[];
  readonly checks: readonly Change[];
  readonly clauses: readonly Change[];
  readonly open: readonly OpenPointChange[];
  /** How many checks have the same verdict, for the same failures. */
  readonly same: number;
}

/** Compares two reports, check by check and clause by clause. */
export function compareReports(before: ReadReport, after: ReadReport): Comparison {
  const checks = changesOf(before.checks, after.checks);
  return {
    circumstances: changedCircumstances(before, after),
    checks,
    clauses: changesOf(selected(before), selected(after)),
    open: openPointChanges(before, after),
    same: after.checks.length - checks.filter(({ direction }) => direction !== 'gone').length,
  };
}

/** Whether anything got worse: a new failure counts, whatever check shows it. */
export function isWorse({ checks, clauses }: Comparison): boolean {
  return [...checks, ...clauses].some(
    ({ direction, after }) =>
      direction === 'worse' ||
      (direction === 'new' && (after?.verdict === 'fail' || after?.verdict === 'error')),
  );
}

/** A clause of which no check was selected is in a report all the same. */
function selected({ clauses }: ReadReport): ReadReport['clauses'] {
  return clauses.filter(({ checks }) => checks.length > 0);
}

type Identified = Judged & { readonly id: string };

function changesOf(before: readonly Identified[], after: readonly Identified[]): readonly Change[] {
  const earlier = new Map(before.map((each) => [each.id, each]));
  const later = new Set(after.map(({ id }) => id));
  const changed = after.flatMap((each): readonly Change[] => {
    const was = earlier.get(each.id);
    if (was === undefined) return [{ id: each.id, direction: 'new', after: judged(each) }];
    const direction = directionOf(was, each);
    return direction === undefined
      ? []
      : [{ id: each.id, direction, before: judged(was), after: judged(each) }];
  });
  const gone = before.filter(({ id }) => !later.has(id));
  return [
    ...changed,
    ...gone.map((each): Change => ({ id: each.id, direction: 'gone', before: judged(each) })),
  ];
}

function judged({ verdict, reason }: Judged): Judged {
  return { verdict, reason };
}

function changedCircumstances(before: ReadReport, after: ReadReport): Comparison['circumstances'] {
  const [was, is] = [circumstancesOf(before), circumstancesOf(after)];
  return Object.entries(is).flatMap(([what, now]) => {
    const then = was[what] ?? '';
    return then === now ? [] : [{ what, before: then, after: now }];
  });
}

function circumstancesOf({ target, seed, caps, cutShort }: ReadReport): Readonly<Record<string, string>> {
  const { requests, completions, outputTokens } = caps;
  const capped = [requests, completions, outputTokens].map((cap) => cap ?? 'any');
  return {
    target: target.kind === 'mock' ? 'the mock' : target.baseUrl,
    profile: target.profile ?? 'none',
    seed: String(seed),
    caps: `${capped[0]} requests, ${capped[1]} completions, ${capped[2]} output tokens each`,
    'cut short': cutShort.join('; ') || 'no',
  };
}

function openPointChanges(before: ReadReport, after: ReadReport): readonly OpenPointChange[] {
  const [was, is] = [before, after].map(
    ({ open }) => new Map(open.map(({ point, observed }) => [point, observed])),
  );
  const points = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])]);
  return [...points]
    .map((point) => ({ point, before: was?.get(point), after: is?.get(point) }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}

/** What a report says of a check or a clause. */
export interface Judged {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly failures?: readonly Pick<FailureKind, 'code' | 'path'>[];
}

/** `other`: neither; such as a failure that was not exercised any more, which is no improvement. */
export type Direction = 'worse' | 'better' | 'other';

const UNANSWERED = 1;

const WORSE_LAST: Readonly<Record<Verdict, number>> = {
  pass: 0,
  observed: 0,
  'not-exercised': UNANSWERED,
  inconclusive: UNANSWERED,
  warn: 2,
  fail: 3,
  error: 3,
};

/** Where a verdict went, or which failures came and went under the same one; undefined when nothing changed. */
export function directionOf(before: Judged, after: Judged): Direction | undefined {
  if (before.verdict === after.verdict) return amongFailures(before, after);
  const [was, is] = [WORSE_LAST[before.verdict], WORSE_LAST[after.verdict]];
  if (is > was) return 'worse';
  return is === was || is === UNANSWERED ? 'other' : 'better';
}

function amongFailures(before: Judged, after: Judged): Direction | undefined {
  if (kindsBeside(after, before) > 0) return 'worse';
  return kindsBeside(before, after) > 0 ? 'better' : undefined;
}

/** How many kinds of failure one has and the other has not. */
function kindsBeside({ failures: ones = [] }: Judged, { failures: others = [] }: Judged): number {
  return ones.filter((one) => !others.some(({ code, path }) => one.code === code && one.path === path))
    .length;
}

const LONGEST = 200;

const HEADINGS: readonly (readonly [Change['direction'], string, Style])[] = [
  ['worse', 'Worse', 'red'],
  ['better', 'Better', 'green'],
  ['other', 'Changed', 'yellow'],
  ['new', 'New', 'cyan'],
  ['gone', 'Gone', 'dim'],
];

function verdicts({ before, after }: Change): string {
  if (before === undefined) return after?.verdict ?? '';
  if (after === undefined) return before.verdict;
  return before.verdict === after.verdict
    ? `${after.verdict}, in another way`
    : `${before.verdict} → ${after.verdict}`;
}

function reasonLines({ before, after }: Change, paint: Paint): readonly string[] {
  const line = (label: string, reason = ''): readonly string[] =>
    reason === '' ? [] : [`      ${paint('dim', label.padEnd(6))} ${printable(reason, LONGEST)}`];
  return [...line('before', before?.reason), ...line('after', after?.reason)];
}

function checkLines({ checks }: Comparison, paint: Paint): readonly string[] {
  return HEADINGS.flatMap(([direction, heading, style]) => {
    const changes = checks.filter((change) => change.direction === direction);
    if (changes.length === 0) return [];
    const lines = changes.flatMap((change) => [
      `  ${paint('bold', change.id)}: ${verdicts(change)}`,
      ...reasonLines(change, paint),
    ]);
    return ['', paint(style, heading), ...lines];
  });
}

function clauseLines({ clauses }: Comparison, paint: Paint): readonly string[] {
  if (clauses.length === 0) return [];
  return ['', paint('bold', 'Clauses'), ...clauses.map((change) => `  ${change.id}: ${verdicts(change)}`)];
}

function valueText(value: unknown): string {
  return value === undefined ? 'not seen' : printable(JSON.stringify(value), LONGEST);
}

function openPointLines({ open }: Comparison, paint: Paint): readonly string[] {
  if (open.length === 0) return [];
  const lines = open.map(
    ({ point, before, after }) => `  ${point}: ${valueText(before)} → ${valueText(after)}`,
  );
  return ['', paint('bold', 'Open points'), ...lines];
}

function circumstanceLines({ circumstances }: Comparison, paint: Paint): readonly string[] {
  if (circumstances.length === 0) return [];
  const lines = circumstances.map(
    ({ what, before, after }) => `  ${what}: ${printable(before, LONGEST)} → ${printable(after, LONGEST)}`,
  );
  return [paint('yellow', 'Not the same run'), ...lines];
}

function countLine({ checks, same }: Comparison): string {
  const counts = HEADINGS.map(
    ([direction, heading]) =>
      `${checks.filter((change) => change.direction === direction).length} ${heading.toLowerCase()}`,
  );
  return `${counts.join(', ')}, ${same} the same`;
}

/** How two reports differ, as text: first what else was not the same. */
export function comparisonText(comparison: Comparison, paint: Paint): string {
  return [
    ...circumstanceLines(comparison, paint),
    ...checkLines(comparison, paint),
    ...clauseLines(comparison, paint),
    ...openPointLines(comparison, paint),
    '',
    countLine(comparison),
  ]
    .join('\n')
    .trimStart();
}
