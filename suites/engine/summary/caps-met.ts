import { openPoints } from '../../../fixtures/clauses/open-points.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CheckResult, ClauseResult, Verdict } from '../model/summary.ts';
import type { Profile } from '../model/target.ts';

const CAPPED = /the cap of (\d+) (completion|request)s?\b/;

/** Whether it was for want of room that something was not sent. */
export function namesCap(reason: string): boolean {
  return CAPPED.test(reason);
}

/** Which clauses a cap has left out, and what to do. */
export function aboutCaps({
  clauses,
  record,
}: {
  readonly clauses: readonly ClauseResult[];
  readonly record: readonly Exchange[];
}): readonly string[] {
  const capped = clauses.flatMap(({ id, verdict, reason }) => {
    const [, cap, what] = (isUndecided(verdict) && CAPPED.exec(reason)) || [];
    return cap === undefined || what === undefined ? [] : [{ id, cap: Number(cap), what }];
  });
  const hasFailures = clauses.some(({ verdict }) => verdict === 'fail');
  return [...Map.groupBy(capped, ({ what }) => what)].map(([what, some]) => {
    const more = Math.max(...some.map(({ cap }) => cap)) + unsentFor(what, record);
    const advice = `run again with --max-${what}s ${Math.ceil(more / STEP) * STEP}`;
    const ids = some.map(({ id }) => id).join(' ');
    return `not checked for lack of ${what}s: ${ids}; ${advice}${hasFailures ? ', or fix the failures first' : ''}`;
  });
}

/** The open points that a run has met, those that its profile pins, and the checks that its baseline lists. */
interface Expected {
  readonly pins?: Profile['pins'] | undefined;
  readonly met: ReadonlySet<string>;
  readonly known?: ReadonlySet<string> | undefined;
}

/**
 * The reasons why a run ended early, without caps that only left open points with fewer observations, or failures that are
 * known: nothing that a service must keep was left out, and a warning says it. Nor was anything that a profile pins, as long
 * as each check of pinned points has compared one of them; the warning names the others. `cut`: the checks of which a cap
 * left inputs out.
 */
export function partedCuts(
  reasons: readonly string[],
  cut: readonly CutCheck[],
  points: Expected,
): { readonly cutShort: readonly string[]; readonly curtailed: readonly string[] } {
  const known = cut.filter(({ id }) => points.known?.has(id) === true);
  const others = cut.filter((each) => !known.includes(each));
  const isLeftOut = cut.length > 0 && others.every((each) => isOnlyObserved(each, points));
  if (!isLeftOut) return { cutShort: reasons, curtailed: [] };
  const missed = [...new Set(others.flatMap((each) => uncompared(each, points)))];
  const pinned = missed.length === 0 ? '' : `; pinned, but not compared: ${missed.join(' ')}`;
  const texts = [
    ...(known.length > 0 ? [`known failures were not all sent again (${idsOf(known)})`] : []),
    ...(others.length > 0 ? [`open points were observed with fewer inputs (${idsOf(others)})${pinned}`] : []),
  ];
  return {
    cutShort: reasons.filter((reason) => !namesCap(reason)),
    curtailed: reasons.filter(namesCap).flatMap((cap) => texts.map((text) => `${cap}: ${text}`)),
  };
}

type CutCheck = Pick<CheckResult, 'id' | 'level' | 'clauses' | 'verdict'>;

function idsOf(checks: readonly CutCheck[]): string {
  return checks.map(({ id }) => id).join(' ');
}

/** Whether the left-out inputs of a check could have shown no violation, or only one of points of which it compared some. */
function isOnlyObserved(check: CutCheck, points: Expected): boolean {
  return check.level === 'open' && (check.verdict === 'pass' || uncompared(check, points).length === 0);
}

/** The pinned points of its clauses that nothing in the run has shown. */
function uncompared({ clauses }: CutCheck, { pins = {}, met }: Expected): readonly string[] {
  return openPoints()
    .filter(({ name, clause }) => clauses.includes(clause) && Object.hasOwn(pins, name) && !met.has(name))
    .map(({ name }) => name);
}

/** A round number is easier to read, and leaves room for what follows from the answers. */
const STEP = 20;

function unsentFor(what: string, record: readonly Exchange[]): number {
  return record.filter(
    ({ outcome }) => outcome.kind === 'not-sent' && CAPPED.exec(outcome.reason)?.[2] === what,
  ).length;
}

export function isUndecided(verdict: Verdict): boolean {
  return verdict === 'not-exercised' || verdict === 'inconclusive';
}
