import { isDeepStrictEqual } from 'node:util';
import type { JsonReport } from '../model/report-schema.ts';
import type { FailureKind, Verdict } from '../model/summary.ts';
import { printable } from '../text/printable.ts';
import type { StyleText, TextStyle } from './colours.ts';

/** How two reports differ in what both runs checked. */
export interface Comparison {
  /** What else differed between the runs, and may be the cause. */
  readonly circumstances: readonly Moved[];
  readonly checks: readonly Change[];
  /** Only those of which both runs had the same checks. */
  readonly clauses: readonly Change[];
  /** Of these clauses. Undefined: not observed. */
  readonly open: readonly Moved[];
  /** How many checks have the same verdict, for the same failures. */
  readonly same: number;
  /** The checks that only one of the runs selected: nothing is known of a change. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly Result[];
}

interface Moved {
  readonly what: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** How one check or clause changed from one report to the next. */
interface Change {
  readonly id: string;
  readonly direction: Direction;
  /** Absent: an invariant that is reported only where it fails. */
  readonly before?: Pick<Result, 'verdict' | 'reason'>;
  readonly after: Pick<Result, 'verdict' | 'reason'>;
  /** Present: what failed before was not sent again, so nobody knows whether it would fail. */
  readonly isUnproven?: true;
}

/** `other` is neither worse nor better: a failure that was not exercised again is no improvement. */
type Direction = 'worse' | 'better' | 'other';

/** What a report says of a check or a clause. */
interface Result {
  readonly id: string;
  readonly verdict: Verdict;
  readonly reason: string;
}

interface Judged extends Result {
  readonly failures?: readonly Kind[];
}

type Kind = Pick<FailureKind, 'code' | 'path'>;

/** Compares two reports, check by check and clause by clause. */
export function compareReports(before: JsonReport, after: JsonReport): Comparison {
  const selected = new Map(before.clauses.map(({ id, checks }) => [id, checks]));
  const clauses = after.clauses.filter(
    ({ id, checks }) => checks.length > 0 && isDeepStrictEqual(checks, selected.get(id)),
  );
  const compared = new Set(clauses.map(({ id }) => id));
  const onlyAfter = without(after.checks, before.checks);
  // Nothing more was selected: what is new is reported because it fails.
  const appeared = onlyAfter.every(({ unasked }) => unasked) ? onlyAfter.filter(isFailure) : [];
  const unproven = unprovenChecks(before, after);
  const changed = changesOf(before.checks, after.checks, ({ id }) => unproven.has(id));
  return {
    circumstances: movedIn(circumstancesOf(before), circumstancesOf(after)),
    checks: [
      ...appeared.map((each): Change => ({ id: each.id, direction: 'worse', after: told(each) })),
      ...changed,
    ],
    clauses: changesOf(before.clauses, clauses, ({ checks }) => checks.some((id) => unproven.has(id))),
    open: movedIn(observedIn(before, compared), observedIn(after, compared)),
    same: after.checks.length - onlyAfter.length - changed.length,
    onlyBefore: without(before.checks, after.checks).map(({ id }) => id),
    onlyAfter: without(onlyAfter, appeared).map((each) => ({ id: each.id, ...told(each) })),
  };
}

/** Whether anything that both runs checked got worse. */
export function isWorse({ checks, clauses }: Pick<Comparison, 'checks' | 'clauses'>): boolean {
  return [...checks, ...clauses].some(({ direction }) => direction === 'worse');
}

/** Whether the reports have a check in common. */
export function isComparable({ checks, same }: Comparison): boolean {
  return same + checks.length > 0;
}

/** The values of two lists that differ, by their names. */
function movedIn(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): readonly Moved[] {
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((what) => ({ what, before: before.get(what), after: after.get(what) }))
    .filter((each) => !isDeepStrictEqual(each.before, each.after));
}

function observedIn({ open }: JsonReport, clauses: ReadonlySet<string>): ReadonlyMap<string, unknown> {
  return new Map(
    open.flatMap(({ clause, point, observed }) => (clauses.has(clause) ? [[point, observed]] : [])),
  );
}

function circumstancesOf({ target, seed, caps, cutShort, checks }: JsonReport): ReadonlyMap<string, unknown> {
  const [requests, completions, tokens] = [caps.requests, caps.completions, caps.outputTokens].map(
    (cap) => cap ?? 'unlimited',
  );
  return new Map(
    Object.entries({
      target: target.kind === 'mock' ? 'the mock' : target.baseUrl,
      profile: target.profile ?? 'none',
      seed,
      caps: `${requests} requests, ${completions} completions, ${tokens} output tokens each`,
      checks: checks.length,
      'cut short': cutShort.join('; ') || 'no',
    }),
  );
}

type Named = { readonly id: string };

function without<T extends Named>(all: readonly T[], others: readonly Named[]): readonly T[] {
  const ids = new Set(others.map(({ id }) => id));
  return all.filter(({ id }) => !ids.has(id));
}

function isFailure({ verdict }: Result): boolean {
  return verdict === 'fail' || verdict === 'error';
}

function told({ verdict, reason }: Result): Omit<Result, 'id'> {
  return { verdict, reason };
}

/**
 * The checks that failed in a way that the later run has not, although it did not send what failed again. A run that
 * draws the same sends it.
 */
function unprovenChecks(before: JsonReport, after: JsonReport): ReadonlySet<string> {
  if (before.seed === after.seed && isDeepStrictEqual(before.caps, after.caps)) return new Set();
  const earlier = new Map(before.checks.map((check) => [check.id, check.failures]));
  const unproven = after.checks.filter(({ id, failures, before: fates = [] }) => {
    const decided = fates.filter(({ fate }) => fate === 'fixed' || fate === 'still fails');
    return hasOtherThan([...failures, ...decided], earlier.get(id));
  });
  return new Set(unproven.map(({ id }) => id));
}

/** The changes of what both have. What is better, but not proven to be, is neither. */
function changesOf<T extends Judged>(
  before: readonly T[],
  after: readonly T[],
  isUnproven: (result: T) => boolean,
): readonly Change[] {
  const earlier = new Map(before.map((each) => [each.id, each]));
  return after.flatMap((is): readonly Change[] => {
    const was = earlier.get(is.id);
    const direction = was && directionOf(was, is);
    if (was === undefined || direction === undefined) return [];
    const change = { id: is.id, direction, before: told(was), after: told(is) };
    const isDoubtful = direction === 'better' && isUnproven(is);
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
export function directionOf(before: Omit<Judged, 'id'>, after: Omit<Judged, 'id'>): Direction | undefined {
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
];

/** How two reports differ, as text: first what else differed between the runs. */
export function comparisonText(comparison: Comparison, styleText: StyleText): string {
  const { circumstances, checks, clauses, open, same, onlyBefore, onlyAfter } = comparison;
  const groups = HEADINGS.map(([direction, heading, style]) => {
    const changes = checks.filter((change) => change.direction === direction);
    const count = `${changes.length} ${heading.toLowerCase()}`;
    return {
      count,
      section: [heading, style, changes.flatMap((each) => checkLines(each, styleText))] as const,
    };
  });
  const failing = onlyAfter
    .filter(isFailure)
    .map(({ id, verdict, reason }) => `  ${id}: ${verdict}: ${shown(reason)}`);
  const sections: readonly (readonly [heading: string, TextStyle, lines: readonly string[]])[] = [
    ['The runs differ', 'yellow', circumstances.map(movedLine)],
    ...groups.map(({ section }) => section),
    ['Clauses', 'bold', clauses.map((change) => `  ${change.id}: ${verdictText(change)}`)],
    ['Open points', 'bold', open.map(movedLine)],
    ['Not compared: only the second run selected these, which fail', 'cyan', failing],
  ];
  const lines = sections
    .filter(([, , each]) => each.length > 0)
    .flatMap(([heading, style, each]) => ['', styleText(style, heading), ...each]);
  const left = Object.entries({ first: onlyBefore, second: onlyAfter })
    .filter(([, ids]) => ids.length > 0)
    .map(([which, ids]) => `, ${ids.length} only in the ${which} run`);
  const counts = groups.map(({ count }) => count).join(', ');
  return [...lines, '', `${counts}, ${same} unchanged${left.join('')}`].join('\n').trimStart();
}

function movedLine({ what, before, after }: Moved): string {
  return `  ${what}: ${shown(before)} → ${shown(after)}`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'not observed';
  return printable(typeof value === 'string' ? value : JSON.stringify(value), 200);
}

function checkLines(change: Change, styleText: StyleText): readonly string[] {
  const reasons = (['before', 'after'] as const).flatMap((side) => {
    const reason = change[side]?.reason ?? '';
    return reason === '' ? [] : [`      ${styleText('dim', side.padEnd(6))} ${shown(reason)}`];
  });
  return [`  ${styleText('bold', change.id)}: ${verdictText(change)}`, ...reasons];
}

function verdictText({ before, after, isUnproven }: Change): string {
  if (before === undefined) return after.verdict;
  const changed =
    before.verdict === after.verdict
      ? `${after.verdict}, with other failures`
      : `${before.verdict} → ${after.verdict}`;
  return isUnproven === true ? `${changed}, but what failed was not sent again` : changed;
}
