import { isDeepStrictEqual } from 'node:util';
import type { JsonReport } from '../model/report-schema.ts';
import { isSameFailure } from '../model/ruling.ts';
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
  readonly onlyBefore: readonly Told[];
  readonly onlyAfter: readonly Told[];
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
  readonly before?: Told;
  readonly after: Told;
  /** Present: what failed before was not sent again, so nobody knows whether it would fail. */
  readonly isUnproven?: true;
}

/** `other` is neither worse nor better: a failure that was not exercised again is no improvement. */
type Direction = 'worse' | 'better' | 'other';

type JsonCheck = JsonReport['checks'][number];

type Told = Pick<JsonCheck, 'id' | 'verdict' | 'reason'>;

/** A check, or a clause, which has no failures of its own. */
type Result = Told & Partial<Pick<JsonCheck, 'failures'>>;

/** Compares two reports, check by check and clause by clause. */
export function compareReports(before: JsonReport, after: JsonReport): Comparison {
  const checks = pairsOf(before.checks, after.checks);
  const clauses = pairsOf(before.clauses, after.clauses).filter(
    ([was, is]) => is.checks.length > 0 && isDeepStrictEqual(was.checks, is.checks),
  );
  const onlyAfter = without(after.checks, before.checks);
  // Nothing more was selected: what is new is reported because it fails.
  const appeared = onlyAfter.every(({ unasked }) => unasked) ? onlyAfter.filter(isFailure) : [];
  // A run that draws the same sends again what failed.
  const drawsSame = before.seed === after.seed && isDeepStrictEqual(before.caps, after.caps);
  const doubtful = drawsSame ? [] : checks.filter(([was, is]) => isDoubtful(was, is));
  const unproven = new Set(doubtful.map(([{ id }]) => id));
  const changed = checks.flatMap(([was, is]) => changeOf(was, is, unproven.has(is.id)));
  const compared = new Set(clauses.map(([{ id }]) => id));
  return {
    circumstances: movedIn(circumstancesOf(before), circumstancesOf(after)),
    checks: [
      ...appeared.map((is): Change => ({ id: is.id, direction: 'worse', after: told(is) })),
      ...changed,
    ],
    clauses: clauses.flatMap(([was, is]) => {
      const isUnproven = is.checks.some((id) => unproven.has(id));
      return changeOf(was, is, isUnproven);
    }),
    open: movedIn(observedIn(before, compared), observedIn(after, compared)),
    same: checks.length - changed.length,
    onlyBefore: without(before.checks, after.checks).map(told),
    onlyAfter: without(onlyAfter, appeared).map(told),
  };
}

/** Whether anything that both runs checked got worse. */
export function isWorse({ checks, clauses }: Pick<Comparison, 'checks' | 'clauses'>): boolean {
  return [...checks, ...clauses].some(({ direction }) => direction === 'worse');
}

/** What both lists have. */
function pairsOf<T extends Told>(before: readonly T[], after: readonly T[]): readonly (readonly [T, T])[] {
  const earlier = new Map(before.map((each) => [each.id, each]));
  return after.flatMap((is) => {
    const was = earlier.get(is.id);
    return was === undefined ? [] : [[was, is] as const];
  });
}

function without<T extends Told>(all: readonly T[], others: readonly Told[]): readonly T[] {
  return all.filter(({ id }) => others.every((other) => other.id !== id));
}

function isFailure({ verdict }: Told): boolean {
  return verdict === 'fail' || verdict === 'error';
}

function told({ id, verdict, reason }: Told): Told {
  return { id, verdict, reason };
}

type Values = readonly (readonly [what: string, value: unknown])[];

/** The values of two lists that differ, by their names. */
function movedIn(before: Values, after: Values): readonly Moved[] {
  const [was, is] = [new Map(before), new Map(after)];
  return [...new Map([...is, ...was]).keys()]
    .map((what) => ({ what, before: was.get(what), after: is.get(what) }))
    .filter((each) => !isDeepStrictEqual(each.before, each.after));
}

function observedIn({ open }: JsonReport, clauses: ReadonlySet<string>): Values {
  return open.flatMap(({ clause, point, observed }) =>
    clauses.has(clause) ? [[point, observed] as const] : [],
  );
}

function circumstancesOf({ target, seed, caps, cutShort, checks }: JsonReport): Values {
  return Object.entries({
    target: target.kind === 'mock' ? 'the mock' : target.baseUrl,
    profile: target.profile ?? 'none',
    seed,
    'cap on requests': caps.requests ?? 'none',
    'cap on completions': caps.completions ?? 'none',
    'cap on output tokens': caps.outputTokens ?? 'none',
    checks: checks.length,
    'cut short': cutShort.join('; ') || 'no',
  });
}

/** Whether a check failed in a way that the later run has not, although it did not send what failed again. */
function isDoubtful(was: JsonCheck, is: JsonCheck): boolean {
  const decided = (is.before ?? []).filter(({ fate }) => fate === 'fixed' || fate === 'still fails');
  return hasOtherThan([...is.failures, ...decided], was.failures);
}

/** What is better, but not proven to be, is neither. */
function changeOf(was: Result, is: Result, isUnproven: boolean): readonly Change[] {
  const direction = directionOf(was, is);
  if (direction === undefined) return [];
  const change = { id: is.id, direction, before: told(was), after: told(is) };
  return [
    direction === 'better' && isUnproven ? { ...change, direction: 'other', isUnproven: true } : change,
  ];
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
function directionOf(before: Result, after: Result): Direction | undefined {
  if (before.verdict === after.verdict) {
    if (hasOtherThan(before.failures, after.failures)) return 'worse';
    return hasOtherThan(after.failures, before.failures) ? 'better' : undefined;
  }
  const [was, is] = [BADNESS[before.verdict], BADNESS[after.verdict]];
  if (is > was) return 'worse';
  return is === was || is === UNDECIDED ? 'other' : 'better';
}

type Kinds = readonly Pick<FailureKind, 'code' | 'path'>[];

/** Whether there is a kind of failure that is not among the known ones. */
function hasOtherThan(known: Kinds = [], kinds: Kinds = []): boolean {
  return kinds.some((kind) => !known.some((other) => isSameFailure(kind, other)));
}

/** How two reports differ, as text: first what else differed between the runs. */
export function comparisonText(comparison: Comparison, styleText: StyleText): string {
  const { circumstances, checks, clauses, open, same, onlyBefore, onlyAfter } = comparison;
  const moved = (direction: Direction): readonly Change[] =>
    checks.filter((change) => change.direction === direction);
  const linesOf = (direction: Direction): readonly string[] =>
    moved(direction).flatMap((change) => checkLines(change, styleText));
  const sections: readonly (readonly [heading: string, TextStyle, lines: readonly string[]])[] = [
    ['The runs differ', 'yellow', circumstances.map(movedLine)],
    ['Worse', 'red', linesOf('worse')],
    ['Better', 'green', linesOf('better')],
    ['Changed', 'yellow', linesOf('other')],
    ['Clauses', 'bold', clauses.map((change) => `  ${change.id}: ${verdictText(change)}`)],
    ['Open points', 'bold', open.map(movedLine)],
    ['Fails, and only the second run selected it', 'cyan', onlyAfter.filter(isFailure).map(failureLine)],
  ];
  const lines = sections
    .filter(([, , each]) => each.length > 0)
    .flatMap(([heading, style, each]) => ['', styleText(style, heading), ...each]);
  const counts = `${moved('worse').length} worse, ${moved('better').length} better, ${moved('other').length} changed, ${same} unchanged`;
  const only = `only in the first run: ${onlyBefore.length}, only in the second: ${onlyAfter.length}`;
  const isPartial = onlyBefore.length + onlyAfter.length > 0;
  return [...lines, '', isPartial ? `${counts} (${only})` : counts].join('\n').trimStart();
}

function failureLine({ id, verdict, reason }: Told): string {
  return `  ${id}: ${verdict}: ${shown(reason)}`;
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
