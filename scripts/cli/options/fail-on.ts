import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import { printable } from '../../../suites/kit/evidence/show-exchange.ts';
import type { ClauseResult, Summary } from '../../../suites/kit/model/summary.ts';
import { EXIT } from '../terminal/exit.ts';
import type { Stricter } from './check-flags.ts';

/** The checks that warn, and the clauses: none that is known, and no clause that warns for what is known alone. */
function warned({ checks, clauses }: Summary): readonly string[] {
  const warnings = checks.filter(({ verdict }) => verdict === 'warn');
  const isKnown = (clause: ClauseResult): boolean => {
    const bearing = warnings.filter(({ id }) => clause.checks.includes(id));
    return bearing.length > 0 && bearing.every(({ known }) => known !== undefined);
  };
  const news = warnings.filter(({ known }) => known === undefined);
  const borne = clauses.filter((clause) => clause.verdict === 'warn' && !isKnown(clause));
  return [...news, ...borne].map(({ id }) => id);
}

/** The clauses that bind what was judged, that there are checks for, and that this run has no answer to. */
function unanswered({ clauses, target }: Summary): readonly string[] {
  const bound = target.kind === 'caller' ? 'caller' : 'service';
  const open = clauses.filter(({ verdict }) => verdict === 'not-exercised' || verdict === 'inconclusive');
  return open
    .map(({ id }) => id)
    .filter((id) => CLAUSES[id].bound === bound && CLAUSES[id].notYet === undefined);
}

/** The checks that nothing decided, although something spoke for and against. */
function undecided({ checks }: Summary): readonly string[] {
  return checks.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id);
}

const FOUND: Readonly<Record<Stricter, (summary: Summary) => readonly string[]>> = {
  warn: warned,
  'not-exercised': unanswered,
  inconclusive: undecided,
};

/** What a run fails on only because it was asked to: a line for each kind, with the IDs, and for each stale entry. */
export function failedOn(summary: Summary, failOn: ReadonlySet<Stricter>): readonly string[] {
  const stale =
    summary.baseline?.problems.map((problem) => `Baseline out of date: ${printable(problem)}`) ?? [];
  const found = [...failOn].flatMap((kind) => {
    const ids = FOUND[kind](summary);
    return ids.length === 0 ? [] : [`Failed on ${kind}: ${ids.join(' ')}`];
  });
  return [...stale, ...found];
}

/** The exit code of a finished run. */
export function exitCodeOf(summary: Summary, failOn: ReadonlySet<Stricter>): number {
  return failedOn(summary, failOn).length > 0
    ? EXIT.violations
    : EXIT[summary.baseline?.outcome ?? summary.outcome];
}
