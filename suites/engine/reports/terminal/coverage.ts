import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';
import { OWN_SECTION } from '../../model/check.ts';
import type { CheckResult, OpenPointResult, Summary, Verdict } from '../../model/summary.ts';
import { printable } from '../../text/printable.ts';
import { type StyleText, VERDICT_STYLES } from '../colours.ts';
import { sectionOf, verdictCounts } from '../display-verdict.ts';
import { NEED_A_REASON } from '../tables.ts';

/** `3 passed · 1 observed`, the worst verdict first. */
export function tally(results: readonly CheckResult[], styleText: StyleText): string {
  return verdictCounts(results)
    .map(({ verdict, word, count }) => styleText(VERDICT_STYLES[verdict], `${count} ${word}`))
    .join(' · ');
}

/** One line per section, in the specification's order; checks of one's own follow. */
export function sectionLines(results: readonly CheckResult[], styleText: StyleText): readonly string[] {
  const sections = new Set([...Object.values(CLAUSES).map((clause) => clause.section), OWN_SECTION]);
  return [...sections].flatMap((section) => {
    const ofSection = results.filter((result) => sectionOf(result) === section);
    if (ofSection.length === 0) return [];
    return [`  ${markOf(ofSection, styleText)} ${section.padEnd(15)} ${tally(ofSection, styleText)}`];
  });
}

function markOf(results: readonly CheckResult[], styleText: StyleText): string {
  const some = (...verdicts: readonly Verdict[]): boolean =>
    results.some(({ verdict }) => verdicts.includes(verdict));
  if (some('fail', 'error')) return styleText('red', '✘');
  if (some('warn', 'inconclusive') || results.some(({ cut }) => cut !== undefined))
    return styleText('yellow', '!');
  return some('pass', 'observed') ? styleText('green', '✔') : styleText('dim', '–');
}

/** What would let a run decide more; a failure has its hint beside it. */
export function hintLines({ checks }: Summary): readonly string[] {
  const undecided = checks.filter(({ evidence }) => evidence.length === 0);
  const hints = new Set(undecided.flatMap(({ hint }) => (hint === undefined ? [] : [printable(hint)])));
  return [...hints].map((hint) => `  ${hint}`);
}

/** The undecided checks whose reasons no clause shows, because other checks decided their clauses. */
export function undecidedLines({ checks, clauses }: Summary): readonly string[] {
  const undecided = checks.filter(
    (check) =>
      (check.verdict === 'not-exercised' || check.verdict === 'inconclusive') &&
      clauses.every(({ id, verdict }) => !check.clauses.includes(id) || !NEED_A_REASON.has(verdict)),
  );
  return undecided.map(({ id, reason }) => `  ${id}: ${printable(reason)}`);
}

/** What the target does where the specification is silent, a line per clause: the other reports have all of it. */
export function openPointLines(open: readonly OpenPointResult[], styleText: StyleText): readonly string[] {
  return [...Map.groupBy(open, ({ clause }) => clause)].map(([clause, points]) => {
    const texts = points.map(({ point, observed }) =>
      typeof observed === 'string' ? `${point} ${observed}` : `${point} ${JSON.stringify(observed)}`,
    );
    return `  ${styleText('cyan', clause.padEnd(7))} ${printable(texts.join(', '), 100)}`;
  });
}
