import { isDeepStrictEqual } from 'node:util';
import type { JsonReport } from '../model/report-schema.ts';
import type { FailureKind, Verdict } from '../model/summary.ts';
import { printable } from '../text/printable.ts';
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
  /** Undefined: not observed. */
  readonly open: readonly { readonly point: string; readonly before: unknown; readonly after: unknown }[];
  /** How many checks have the same verdict, for the same failures. */
  readonly same: number;
}

/** How one check or clause changed from one report to the next. */
interface Change {
  readonly id: string;
  readonly direction: Direction;
  readonly before?: Pick<Result, 'verdict' | 'reason'>;
  readonly after?: Pick<Result, 'verdict' | 'reason'>;
  /** Present: what failed before was not sent again, so nobody knows whether it would fail. */
  readonly isUnproven?: true;
}

/**
 * `other` is neither worse nor better: a failure that was not exercised again is no improvement. `new` and `gone`: only
 * one of the reports has it.
 */
type Direction = 'worse' | 'better' | 'other' | 'new' | 'gone';

/** What a report says of a check or a clause. */
interface Result {
  readonly verdict: Verdict;
  readonly reason: string;
  readonly failures?: readonly Kind[];
}

type Kind = Pick<FailureKind, 'code' | 'path'>;

/** Compares two reports, check by check and clause by clause. */
export function compareReports(before: JsonReport, after: JsonReport): Comparison {
  const unproven = unprovenChecks(before, after);
  const checks = changesOf(before.checks, after.checks, ({ id }) => unproven.has(id));
  const clauses = changesOf(clausesWithChecks(before), clausesWithChecks(after), (clause) =>
    clause.checks.some((id) => unproven.has(id)),
  );
  return {
    circumstances: pairs(circumstancesOf(before), circumstancesOf(after))
      .map(({ name, was = '', is = '' }) => ({ what: name, before: was, after: is }))
      .filter((change) => change.before !== change.after),
    checks,
    clauses,
    open: pairs(observedIn(before), observedIn(after))
      .map(({ name, was, is }) => ({ point: name, before: was, after: is }))
      .filter((change) => !isDeepStrictEqual(change.before, change.after)),
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

type Named<T> = readonly (readonly [name: string, value: T])[];

/** Everything that one of two reports has, by its name; what only the earlier one has comes last. */
function pairs<T>(before: Named<T>, after: Named<T>) {
  const [earlier, later] = [new Map(before), new Map(after)];
  const names = new Set([...later.keys(), ...earlier.keys()]);
  return [...names].map((name) => ({ name, was: earlier.get(name), is: later.get(name) }));
}

function byId<T extends { readonly id: string }>(results: readonly T[]): Named<T> {
  return results.map((result) => [result.id, result]);
}

/** A report lists every clause, even one of which no check was selected. */
function clausesWithChecks({ clauses }: JsonReport): JsonReport['clauses'] {
  return clauses.filter(({ checks }) => checks.length > 0);
}

function observedIn({ open }: JsonReport): Named<unknown> {
  return open.map(({ point, observed }) => [point, observed]);
}

function circumstancesOf({ target, seed, caps, cutShort }: JsonReport): Named<string> {
  const { requests, completions, outputTokens } = caps;
  const [first, second, third] = [requests, completions, outputTokens].map((cap) => cap ?? 'unlimited');
  return [
    ['target', target.kind === 'mock' ? 'the mock' : target.baseUrl],
    ['profile', target.profile ?? 'none'],
    ['seed', String(seed)],
    ['caps', `${first} requests, ${second} completions, ${third} output tokens each`],
    ['cut short', cutShort.join('; ') || 'no'],
  ];
}

/**
 * The checks that failed in a way that the later run has not, although it did not send what failed again. A run that
 * draws the same sends it.
 */
function unprovenChecks(before: JsonReport, after: JsonReport): ReadonlySet<string> {
  if (before.seed === after.seed && isDeepStrictEqual(before.caps, after.caps)) return new Set();
  const unproven = pairs(byId(before.checks), byId(after.checks)).filter(({ was, is }) => {
    const decided = (is?.before ?? []).filter(({ fate }) => fate === 'fixed' || fate === 'still fails');
    return hasOtherThan([...(is?.failures ?? []), ...decided], was?.failures);
  });
  return new Set(unproven.map(({ name }) => name));
}

/** What is better, but not proven to be, is neither. */
function changesOf<T extends Result & { readonly id: string }>(
  before: readonly T[],
  after: readonly T[],
  isUnproven: (result: T) => boolean,
): readonly Change[] {
  return pairs(byId(before), byId(after)).flatMap(({ name, was, is }): readonly Change[] => {
    const direction = directionOf(was, is);
    if (direction === undefined) return [];
    const change = {
      id: name,
      direction,
      ...(was && { before: { verdict: was.verdict, reason: was.reason } }),
      ...(is && { after: { verdict: is.verdict, reason: is.reason } }),
    };
    const isDoubtful = direction === 'better' && is !== undefined && isUnproven(is);
    return [isDoubtful ? { ...change, direction: 'other', isUnproven: true } : change];
  });
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
export function directionOf(before: Result | undefined, after: Result | undefined): Direction | undefined {
  if (before === undefined) return 'new';
  if (after === undefined) return 'gone';
  if (before.verdict === after.verdict) {
    if (hasOtherThan(before.failures, after.failures)) return 'worse';
    return hasOtherThan(after.failures, before.failures) ? 'better' : undefined;
  }
  const [was, is] = [BADNESS[before.verdict], BADNESS[after.verdict]];
  if (is > was) return 'worse';
  return is === was || is === UNDECIDED ? 'other' : 'better';
}

/** Whether there is a kind of failure that is not among the known ones. */
function hasOtherThan(known: readonly Kind[] = [], kinds: readonly Kind[] = []): boolean {
  return kinds.some(({ code, path }) => !known.some((kind) => kind.code === code && kind.path === path));
}

const HEADINGS: readonly (readonly [Direction, string, TextStyle])[] = [
  ['worse', 'Worse', 'red'],
  ['better', 'Better', 'green'],
  ['other', 'Changed', 'yellow'],
  ['new', 'New', 'cyan'],
  ['gone', 'Gone', 'dim'],
];

/** How two reports differ, as text: first what else differed between the runs. */
export function comparisonText(comparison: Comparison, styleText: StyleText): string {
  const { circumstances, checks, clauses, open, same } = comparison;
  const groups = HEADINGS.map(([direction, heading, style]) => {
    const changes = checks.filter((change) => change.direction === direction);
    const lines = changes.flatMap((change) => checkLines(change, styleText));
    return { section: [style, heading, lines] as const, count: `${changes.length} ${heading.toLowerCase()}` };
  });
  const sections: readonly (readonly [TextStyle, string, readonly string[]])[] = [
    [
      'yellow',
      'The runs differ',
      circumstances.map(({ what, before, after }) => movedLine(what, short(before), short(after))),
    ],
    ...groups.map(({ section }) => section),
    ['bold', 'Clauses', clauses.map((change) => `  ${change.id}: ${verdictText(change)}`)],
    [
      'bold',
      'Open points',
      open.map(({ point, before, after }) => movedLine(point, observedText(before), observedText(after))),
    ],
  ];
  const lines = sections
    .filter(([, , each]) => each.length > 0)
    .flatMap(([style, heading, each]) => ['', styleText(style, heading), ...each]);
  const counts = groups.map(({ count }) => count).join(', ');
  return [...lines, '', `${counts}, ${same} unchanged`].join('\n').trimStart();
}

function movedLine(name: string, before: string, after: string): string {
  return `  ${name}: ${before} → ${after}`;
}

function short(text: string): string {
  return printable(text, 200);
}

function checkLines(change: Change, styleText: StyleText): readonly string[] {
  const reasons = (['before', 'after'] as const).flatMap((side) => {
    const reason = change[side]?.reason ?? '';
    return reason === '' ? [] : [`      ${styleText('dim', side.padEnd(6))} ${short(reason)}`];
  });
  return [`  ${styleText('bold', change.id)}: ${verdictText(change)}`, ...reasons];
}

function verdictText({ before, after, isUnproven }: Change): string {
  if (before === undefined || after === undefined) return (before ?? after)?.verdict ?? '';
  const changed =
    before.verdict === after.verdict
      ? `${after.verdict}, with other failures`
      : `${before.verdict} → ${after.verdict}`;
  return isUnproven === true ? `${changed}, but what failed was not sent again` : changed;
}

function observedText(value: unknown): string {
  return value === undefined ? 'not observed' : short(JSON.stringify(value));
}
