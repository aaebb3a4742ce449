import { CLAUSES } from '../fixtures/clauses.ts';
import type { Summary } from '../suites/kit/summary.ts';
import type { Stricter } from './check-flags.ts';
import { EXIT } from './exit.ts';

/** The checks and clauses that warn. */
function warned({ checks, clauses }: Summary): readonly string[] {
  return [...checks, ...clauses].filter(({ verdict }) => verdict === 'warn').map(({ id }) => id);
}

/** The clauses that bind the service, that there are checks for, and that this run has no answer to. */
function unanswered({ clauses }: Summary): readonly string[] {
  const open = clauses.filter(({ verdict }) => verdict === 'not-exercised' || verdict === 'inconclusive');
  return open
    .map(({ id }) => id)
    .filter((id) => CLAUSES[id].bound === 'service' && CLAUSES[id].notYet === undefined);
}

const FOUND: Readonly<Record<Stricter, (summary: Summary) => readonly string[]>> = {
  warn: warned,
  'not-exercised': unanswered,
};

/** What a run fails on only because it was asked to: one line for each kind, with the IDs. */
export function failedOn(summary: Summary, failOn: ReadonlySet<Stricter>): readonly string[] {
  return [...failOn].flatMap((kind) => {
    const ids = FOUND[kind](summary);
    return ids.length === 0 ? [] : [`Failed on ${kind}: ${ids.join(' ')}`];
  });
}

/** The exit code of a run that came to its end. */
export function exitCodeOf(summary: Summary, failOn: ReadonlySet<Stricter>): number {
  return failedOn(summary, failOn).length > 0 ? EXIT.violations : EXIT[summary.outcome];
}
