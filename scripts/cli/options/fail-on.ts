import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import type { ClauseResult, Summary } from '../../../suites/engine/model/summary.ts';
import { EXIT } from '../terminal/exit.ts';
import type { Stricter } from './check-table.ts';

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
  return open.map(({ id }) => id).filter((id) => CLAUSES[id].bound === bound);
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

/** The summary of a run that fails on more than violations, where it was told to: a line for each kind, with the IDs. */
export function withFailOn(summary: Summary, failOn: readonly Stricter[] = []): Summary {
  const failedOn = [...new Set(failOn)].flatMap((kind) => {
    const ids = FOUND[kind](summary);
    return ids.length === 0 ? [] : [`Failed on ${kind}: ${ids.join(' ')}`];
  });
  if (summary.notBegun !== undefined || failedOn.length === 0) return summary;
  return { ...summary, outcome: 'violations', failedOn };
}

/** The exit code of a finished run. */
export function exitCodeOf({ outcome, notBegun }: Summary): number {
  return notBegun === undefined ? EXIT[outcome] : EXIT.unreachable;
}
