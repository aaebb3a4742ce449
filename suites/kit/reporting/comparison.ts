import { isDeepStrictEqual } from 'node:util';
import { printable } from '../evidence/show-exchange.ts';
import type { FailureKind, Verdict } from '../model/summary.ts';
import type { StyleText, TextStyle } from './colours.ts';
import type { JsonReport } from './report-schema.ts';

export interface Comparison {
  /** What else differed between the runs, and may be the cause. */
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

/** How one check or clause changed from one report to the next. */
interface Change {
  readonly id: string;
  /** `new` and `gone`: only one of the reports has it. */
  readonly direction: Direction | 'new' | 'gone';
  readonly before?: ComparedResult;
  readonly after?: ComparedResult;
}

/** `other` is neither: a failure that was not exercised again is no improvement. */
type Direction = 'worse' | 'better' | 'other';

/** The verdict and reason of a check or clause in a report. */
interface ComparedResult {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly failures?: readonly Pick<FailureKind, 'code' | 'path'>[];
}

interface OpenPointChange {
  readonly point: string;
  /** Undefined: not observed. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Compares two reports, check by check and clause by clause. */
export function compareReports(before: JsonReport, after: JsonReport): Comparison {
  const checks = changesOf(before.checks, after.checks);
  return {
    circumstances: changedCircumstances(before, after),
    checks,
    clauses: changesOf(clausesWithChecks(before), clausesWithChecks(after)),
    open: openPointChanges(before, after),
    same: after.checks.length - checks.filter(({ direction }) => direction !== 'gone').length,
  };
}

/** Whether anything got worse; a new failure counts, whichever check has it. */
export function isWorse({ checks, clauses }: Comparison): boolean {
  return [...checks, ...clauses].some(
    ({ direction, after }) =>
      direction === 'worse' ||
      (direction === 'new' && (after?.verdict === 'fail' || after?.verdict === 'error')),
  );
}

/** A report lists every clause, even one of which no check was selected. */
function clausesWithChecks({ clauses }: JsonReport): JsonReport['clauses'] {
  return clauses.filter(({ checks }) => checks.length > 0);
}

type Identified = ComparedResult & { readonly id: string };

function changesOf(before: readonly Identified[], after: readonly Identified[]): readonly Change[] {
  const earlier = new Map(before.map((result) => [result.id, result]));
  const later = new Set(after.map(({ id }) => id));
  const changed = after.flatMap((result): readonly Change[] => {
    const { id } = result;
    const was = earlier.get(id);
    if (was === undefined) return [{ id, direction: 'new', after: compared(result) }];
    const direction = directionOf(was, result);
    return direction === undefined ? [] : [{ id, direction, before: compared(was), after: compared(result) }];
  });
  const gone = before.filter(({ id }) => !later.has(id));
  return [
    ...changed,
    ...gone.map((result): Change => ({ id: result.id, direction: 'gone', before: compared(result) })),
  ];
}

function compared({ verdict, reason }: ComparedResult): ComparedResult {
  return { verdict, reason };
}

const UNDECIDED = 1;

const BADNESS: Readonly<Record<Verdict, number>> = {
  pass: 0,
  observed: 0,
  'not-exercised': UNDECIDED,
  inconclusive: UNDECIDED,
  warn: 2,
  fail: 3,
  error: 3,
};

/** How a verdict changed, or the failures under the same verdict; undefined when nothing changed. */
export function directionOf(before: ComparedResult, after: ComparedResult): Direction | undefined {
  if (before.verdict === after.verdict) return directionOfFailures(before, after);
  const [was, is] = [BADNESS[before.verdict], BADNESS[after.verdict]];
  if (is > was) return 'worse';
  return is === was || is === UNDECIDED ? 'other' : 'better';
}

function directionOfFailures(before: ComparedResult, after: ComparedResult): Direction | undefined {
  if (hasMoreKinds(after, before)) return 'worse';
  return hasMoreKinds(before, after) ? 'better' : undefined;
}

/** Whether one result has a kind of failure that the other has not. */
function hasMoreKinds({ failures = [] }: ComparedResult, { failures: others = [] }: ComparedResult): boolean {
  return failures.some(({ code, path }) => !others.some((kind) => kind.code === code && kind.path === path));
}

function changedCircumstances(before: JsonReport, after: JsonReport): Comparison['circumstances'] {
  const [was, is] = [circumstancesOf(before), circumstancesOf(after)];
  return Object.entries(is).flatMap(([what, now]) => {
    const then = was[what] ?? '';
    return then === now ? [] : [{ what, before: then, after: now }];
  });
}

function circumstancesOf({ target, seed, caps, cutShort }: JsonReport): Readonly<Record<string, string>> {
  const { requests, completions, outputTokens } = caps;
  const [first, second, third] = [requests, completions, outputTokens].map((cap) => cap ?? 'unlimited');
  return {
    target: target.kind === 'mock' ? 'the mock' : target.baseUrl,
    profile: target.profile ?? 'none',
    seed: String(seed),
    caps: `${first} requests, ${second} completions, ${third} output tokens each`,
    'cut short': cutShort.join('; ') || 'no',
  };
}

function openPointChanges(before: JsonReport, after: JsonReport): readonly OpenPointChange[] {
  const was = new Map(before.open.map(({ point, observed }) => [point, observed]));
  const is = new Map(after.open.map(({ point, observed }) => [point, observed]));
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((point) => ({ point, before: was.get(point), after: is.get(point) }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}

/** How two reports differ, as text: first what else differed between the runs. */
export function comparisonText(comparison: Comparison, styleText: StyleText): string {
  return [
    ...circumstanceLines(comparison, styleText),
    ...checkLines(comparison, styleText),
    ...clauseLines(comparison, styleText),
    ...openPointLines(comparison, styleText),
    '',
    countLine(comparison),
  ]
    .join('\n')
    .trimStart();
}

const LONGEST = 200;

const HEADINGS: readonly (readonly [Change['direction'], string, TextStyle])[] = [
  ['worse', 'Worse', 'red'],
  ['better', 'Better', 'green'],
  ['other', 'Changed', 'yellow'],
  ['new', 'New', 'cyan'],
  ['gone', 'Gone', 'dim'],
];

function circumstanceLines({ circumstances }: Comparison, styleText: StyleText): readonly string[] {
  if (circumstances.length === 0) return [];
  const lines = circumstances.map(
    ({ what, before, after }) => `  ${what}: ${printable(before, LONGEST)} → ${printable(after, LONGEST)}`,
  );
  return [styleText('yellow', 'The runs differ'), ...lines];
}

function checkLines({ checks }: Comparison, styleText: StyleText): readonly string[] {
  return HEADINGS.flatMap(([direction, heading, style]) => {
    const changes = checks.filter((change) => change.direction === direction);
    if (changes.length === 0) return [];
    const lines = changes.flatMap((change) => [
      `  ${styleText('bold', change.id)}: ${verdictText(change)}`,
      ...reasonLines(change, styleText),
    ]);
    return ['', styleText(style, heading), ...lines];
  });
}

function verdictText({ before, after }: Change): string {
  if (before === undefined) return after?.verdict ?? '';
  if (after === undefined) return before.verdict;
  return before.verdict === after.verdict
    ? `${after.verdict}, with other failures`
    : `${before.verdict} → ${after.verdict}`;
}

function reasonLines({ before, after }: Change, styleText: StyleText): readonly string[] {
  const line = (label: string, reason = ''): readonly string[] =>
    reason === '' ? [] : [`      ${styleText('dim', label.padEnd(6))} ${printable(reason, LONGEST)}`];
  return [...line('before', before?.reason), ...line('after', after?.reason)];
}

function clauseLines({ clauses }: Comparison, styleText: StyleText): readonly string[] {
  if (clauses.length === 0) return [];
  const lines = clauses.map((change) => `  ${change.id}: ${verdictText(change)}`);
  return ['', styleText('bold', 'Clauses'), ...lines];
}

function openPointLines({ open }: Comparison, styleText: StyleText): readonly string[] {
  if (open.length === 0) return [];
  const lines = open.map(
    ({ point, before, after }) => `  ${point}: ${observedText(before)} → ${observedText(after)}`,
  );
  return ['', styleText('bold', 'Open points'), ...lines];
}

function observedText(value: unknown): string {
  return value === undefined ? 'not observed' : printable(JSON.stringify(value), LONGEST);
}

function countLine({ checks, same }: Comparison): string {
  const counts = HEADINGS.map(
    ([direction, heading]) =>
      `${checks.filter((change) => change.direction === direction).length} ${heading.toLowerCase()}`,
  );
  return `${counts.join(', ')}, ${same} unchanged`;
}
