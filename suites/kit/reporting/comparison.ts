import { isDeepStrictEqual } from 'node:util';
import { printable } from '../evidence/printable.ts';
import type { JsonReport } from '../model/report-schema.ts';
import type { FailureKind, Verdict } from '../model/summary.ts';
import type { StyleText, TextStyle } from './colours.ts';

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
  /** Present: what failed before was not sent again, so nobody knows whether it would fail. */
  readonly isUnproven?: true;
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
  const drawsTheSame = before.seed === after.seed && isDeepStrictEqual(before.caps, after.caps);
  const unproven = drawsTheSame ? new Set<string>() : unprovenChecks(before, after);
  const checks = changesOf(before.checks, after.checks, ({ id }) => unproven.has(id));
  return {
    circumstances: changedCircumstances(before, after),
    checks,
    clauses: changesOf(clausesWithChecks(before), clausesWithChecks(after), (clause) =>
      clause.checks.some((id) => unproven.has(id)),
    ),
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

/** The checks that failed in a way that the later run has not, although it did not send what failed again. */
function unprovenChecks(before: JsonReport, after: JsonReport): ReadonlySet<string> {
  const later = new Map(after.checks.map((check) => [check.id, check]));
  const unproven = before.checks.filter(({ id, failures }) => {
    const now = later.get(id);
    const known = [
      ...(now?.failures ?? []),
      ...(now?.before ?? []).filter(({ fate }) => fate === 'fixed' || fate === 'still fails'),
    ];
    return failures.some(({ code, path }) => !known.some((kind) => kind.code === code && kind.path === path));
  });
  return new Set(unproven.map(({ id }) => id));
}

type Identified = ComparedResult & { readonly id: string };

/** What is better, but not proven to be, is neither. */
function changesOf<Result extends Identified>(
  before: readonly Result[],
  after: readonly Result[],
  isUnproven: (result: Result) => boolean,
): readonly Change[] {
  const earlier = new Map(before.map((result) => [result.id, result]));
  const later = new Set(after.map(({ id }) => id));
  const changed = after.flatMap((result): readonly Change[] => {
    const { id } = result;
    const was = earlier.get(id);
    if (was === undefined) return [{ id, direction: 'new', after: compared(result) }];
    const direction = directionOf(was, result);
    if (direction === undefined) return [];
    const change = { id, before: compared(was), after: compared(result) };
    if (direction !== 'better' || !isUnproven(result)) return [{ ...change, direction }];
    return [{ ...change, direction: 'other', isUnproven: true }];
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

function verdictText({ before, after, isUnproven }: Change): string {
  if (before === undefined) return after?.verdict ?? '';
  if (after === undefined) return before.verdict;
  const changed =
    before.verdict === after.verdict
      ? `${after.verdict}, with other failures`
      : `${before.verdict} → ${after.verdict}`;
  return isUnproven === true ? `${changed}, but what failed was not sent again` : changed;
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
