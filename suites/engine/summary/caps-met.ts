import { openPoints } from '../../../fixtures/clauses/open-points.ts';
import type { Exchange } from '../model/exchange.ts';
import type { CheckResult, ClauseResult, Verdict } from '../model/summary.ts';
import type { Profile } from '../model/target.ts';

const CAPPED = /the cap of (?<cap>\d+) (?<what>completion|request)s?\b/;

/** Whether it was for want of room that something was not sent. */
export function namesCap(reason: string): boolean {
  return CAPPED.test(reason);
}

function whatIn(reason: string): string | undefined {
  return CAPPED.exec(reason)?.groups?.['what'];
}

/** A round number is easier to read, and leaves room for what follows from the answers. */
const STEP = 20;

/** Which clauses a cap has left out, and what to do. */
export function aboutCaps(clauses: readonly ClauseResult[], record: readonly Exchange[]): readonly string[] {
  const left = clauses.filter(({ verdict, reason }) => isUndecided(verdict) && namesCap(reason));
  const or = clauses.some(({ verdict }) => verdict === 'fail') ? ', or fix the failures first' : '';
  return [...Map.groupBy(left, ({ reason }) => whatIn(reason))].map(([what, some]) => {
    const unsent = record.filter(
      ({ outcome }) => outcome.kind === 'not-sent' && whatIn(outcome.reason) === what,
    );
    const cap = Math.max(...some.map(({ reason }) => Number(CAPPED.exec(reason)?.groups?.['cap'])));
    const most = Math.ceil((cap + unsent.length) / STEP) * STEP;
    const ids = some.map(({ id }) => id).join(' ');
    return `not checked for lack of ${what}s: ${ids}; run again with --max-${what}s ${most}${or}`;
  });
}

/** The open points that a run has met, those that its profile pins, and the checks that its baseline lists. */
interface Expected {
  readonly pins?: Profile['pins'] | undefined;
  readonly met: ReadonlySet<string>;
  readonly known?: ReadonlySet<string> | undefined;
}

type CutCheck = Pick<CheckResult, 'id' | 'level' | 'clauses' | 'verdict'>;

/**
 * The reasons why a run ended early, without caps that only left open points with fewer observations, or failures that are
 * known: nothing that a service must keep was left out, and a warning says it. Nor was anything that a profile pins, as long
 * as each check of pinned points has compared one of them; the warning names the others. `cut`: the checks of which a cap
 * left inputs out.
 */
export function partedCuts(
  reasons: readonly string[],
  cut: readonly CutCheck[],
  { pins = {}, met, known }: Expected,
): { readonly cutShort: readonly string[]; readonly curtailed: readonly string[] } {
  const uncompared = ({ clauses }: CutCheck): readonly string[] =>
    openPoints().flatMap(({ name, clause }) =>
      clauses.includes(clause) && Object.hasOwn(pins, name) && !met.has(name) ? [name] : [],
    );
  const listed = cut.filter(({ id }) => known?.has(id) === true);
  const others = cut.filter((check) => !listed.includes(check));
  const isOnlyObserved = (check: CutCheck): boolean =>
    check.level === 'open' && (check.verdict === 'pass' || uncompared(check).length === 0);
  if (cut.length === 0 || !others.every(isOnlyObserved)) return { cutShort: reasons, curtailed: [] };
  const missed = [...new Set(others.flatMap(uncompared))].join(' ');
  const pinned = missed === '' ? '' : `; pinned, but not compared: ${missed}`;
  const idsOf = (checks: readonly CutCheck[]): string => checks.map(({ id }) => id).join(' ');
  const texts = [
    ...(listed.length > 0 ? [`known failures were not all sent again (${idsOf(listed)})`] : []),
    ...(others.length > 0 ? [`open points were observed with fewer inputs (${idsOf(others)})${pinned}`] : []),
  ];
  return {
    cutShort: reasons.filter((reason) => !namesCap(reason)),
    curtailed: reasons.filter(namesCap).flatMap((cap) => texts.map((text) => `${cap}: ${text}`)),
  };
}

export function isUndecided(verdict: Verdict): boolean {
  return verdict === 'not-exercised' || verdict === 'inconclusive';
}
