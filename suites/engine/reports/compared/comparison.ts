import { isDeepStrictEqual } from 'node:util';
import { isSameFailure } from '../../model/ruling.ts';
import type { CheckResult, FailureKind, Summary, Verdict } from '../../model/summary.ts';
import { printable } from '../../text/printable.ts';
import type { StyleText } from '../colours.ts';

type Told = Pick<CheckResult, 'id' | 'verdict' | 'reason'>;

export type Comparison = ReturnType<typeof compareReports>;

export function compareReports(before: Summary, after: Summary) {
  const earlier = new Map(before.checks.map((each) => [each.id, each]));
  const later = new Set(after.checks.map(({ id }) => id));
  const added = after.checks.filter(({ id }) => !earlier.has(id));
  // Where nothing more was selected, what is new is reported because it fails.
  const appeared = added.every(({ unasked }) => unasked) ? added.filter(isFailure) : [];
  // A run that draws the same sends again what failed.
  const drawsSame = before.seed === after.seed && isDeepStrictEqual(before.caps, after.caps);
  const changed = after.checks.flatMap((is) => changeOf(earlier.get(is.id), is, drawsSame));
  return {
    /** What else differed between the runs, and may be the cause. */
    circumstances: movedIn(circumstancesOf(before), circumstancesOf(after)),
    checks: [
      ...appeared.map((is): Change => ({ id: is.id, direction: 'worse', after: told(is) })),
      ...changed,
    ],
    /** Points that both runs observed. */
    open: movedIn(observedIn(before), observedIn(after)),
    /** How many checks have the same verdict, for the same failures. */
    same: after.checks.length - added.length - changed.length,
    /** The checks that only one of the runs selected: nothing is known of a change. */
    onlyBefore: before.checks.filter(({ id }) => !later.has(id)).map(told),
    onlyAfter: added.filter((each) => !appeared.includes(each)).map(told),
  };
}

/** Whether anything that both runs checked got worse. */
export function isWorse({ checks }: Pick<Comparison, 'checks'>): boolean {
  return checks.some(({ direction }) => direction === 'worse');
}

function isFailure({ verdict }: Told): boolean {
  return verdict === 'fail' || verdict === 'error';
}

function told({ id, verdict, reason }: Told): Told {
  return { id, verdict, reason };
}

type Values = Readonly<Record<string, unknown>>;

/** The values that both have and that differ. */
function movedIn(before: Values, after: Values) {
  return Object.entries(before)
    .map(([what, value]) => ({ what, before: value, after: after[what] }))
    .filter((each) => each.after !== undefined && !isDeepStrictEqual(each.before, each.after));
}

function observedIn({ open }: Summary): Values {
  return Object.fromEntries(open.map(({ point, observed }) => [point, observed]));
}

function circumstancesOf({ target, seed, caps, cutShort, checks }: Summary): Values {
  return {
    target: target.kind === 'mock' ? 'the mock' : target.baseUrl,
    profile: target.profile ?? 'none',
    seed,
    'cap on requests': caps.requests ?? 'none',
    'cap on completions': caps.completions ?? 'none',
    'cap on output tokens': caps.outputTokens ?? 'none',
    checks: checks.length,
    'cut short': cutShort.join('; ') || 'no',
  };
}

/** How one check changed from one report to the next. */
interface Change {
  readonly id: string;
  /** `other` is neither worse nor better: it is undecided now, or what failed was not sent again. */
  readonly direction: 'worse' | 'better' | 'other';
  /** Absent: an invariant that is reported only where it fails. */
  readonly before?: Told;
  readonly after: Told;
}

function changeOf(was: CheckResult | undefined, is: CheckResult, drawsSame: boolean): readonly Change[] {
  const direction = was && directionOf(was, is);
  if (was === undefined || direction === undefined) return [];
  // It failed in a way that the later run has not, although it did not send what failed again: nobody knows whether it would.
  const fixed = (is.before ?? []).filter(({ fate }) => fate === 'fixed');
  const isProven = drawsSame || !hasOtherThan([...is.failures, ...fixed], was.failures);
  const proven = direction === 'better' && !isProven ? 'other' : direction;
  return [{ id: is.id, direction: proven, before: told(was), after: told(is) }];
}

/** How a verdict changed, or the failures under the same verdict; undefined when nothing changed. */
function directionOf(before: CheckResult, after: CheckResult): Change['direction'] | undefined {
  if (before.verdict === after.verdict) {
    if (hasOtherThan(before.failures, after.failures)) return 'worse';
    return hasOtherThan(after.failures, before.failures) ? 'better' : undefined;
  }
  const [was, is] = [BADNESS[before.verdict], BADNESS[after.verdict]];
  // What a check found may depend on how fast the service answered: it found nothing worse.
  if (is > was) return after.verdict === 'inconclusive' ? 'other' : 'worse';
  return is === was || is === UNDECIDED ? 'other' : 'better';
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

type Kinds = readonly Pick<FailureKind, 'code' | 'path'>[];

/** Whether there is a kind of failure that is not among the known ones. */
function hasOtherThan(known: Kinds, kinds: Kinds): boolean {
  return kinds.some((kind) => !known.some((other) => isSameFailure(kind, other)));
}

/** How two reports differ, as text: first what else differed between the runs. */
export function comparisonText(comparison: Comparison, styleText: StyleText): string {
  const { circumstances, checks, open, same, onlyBefore, onlyAfter } = comparison;
  const { worse = [], better = [], other = [] } = Object.groupBy(checks, ({ direction }) => direction);
  const failing = onlyAfter.filter(isFailure).map((after) => ({ id: after.id, after }));
  const sections = [
    ['The runs differ', 'yellow', circumstances.map(movedLine)],
    ['Worse', 'red', worse.flatMap(checkLines)],
    ['Better', 'green', better.flatMap(checkLines)],
    ['Changed, undecided, or not sent again', 'yellow', other.flatMap(checkLines)],
    ['Open points', 'bold', open.map(movedLine)],
    ['Fails; only the second run selected it', 'cyan', failing.flatMap(checkLines)],
  ] as const;
  const lines = sections.flatMap(([heading, style, each]) =>
    each.length === 0 ? [] : ['', styleText(style, heading), ...each],
  );
  const counts = `${worse.length} worse, ${better.length} better, ${other.length} changed, ${same} unchanged`;
  const only = ` (only in the first run: ${onlyBefore.length}, only in the second: ${onlyAfter.length})`;
  const isPartial = onlyBefore.length + onlyAfter.length > 0;
  return [...lines, '', counts + (isPartial ? only : '')].join('\n').trimStart();
}

function movedLine({ what, before, after }: Comparison['open'][number]): string {
  return `  ${what}: ${shown(before)} → ${shown(after)}`;
}

function shown(value: unknown): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value), 200);
}

function checkLines({ id, before, after }: Omit<Change, 'direction'>): readonly string[] {
  const verdicts = [before, after].flatMap((each) => each?.verdict ?? []).join(' → ');
  const reasons = [before, after].flatMap((each) => (each?.reason ? `      ${shown(each.reason)}` : []));
  return [`  ${id}: ${verdicts}`, ...reasons];
}
