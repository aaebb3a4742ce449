import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';
import type { Paint } from './report-style.ts';
import { VERDICTS, VERDICT_WORDS } from '../report-verdicts.ts';
import { sectionOf } from '../section-of.ts';
import type { CheckResult } from '../../model/summary.ts';

function markOf(results: readonly CheckResult[], paint: Paint): string {
  const is = (...verdicts: readonly string[]): boolean =>
    results.some((result) => verdicts.includes(result.verdict));
  if (is('fail', 'error')) return paint('red', '✘');
  if (is('warn', 'inconclusive')) return paint('yellow', '!');
  return is('pass', 'observed') ? paint('green', '✔') : paint('dim', '–');
}

/** `3 passed · 1 observed`, the worst verdict first; those that nothing has are left out. */
export function tally(results: readonly Pick<CheckResult, 'verdict'>[], paint: Paint): string {
  const parts = VERDICTS.flatMap((verdict) => {
    const count = results.filter((result) => result.verdict === verdict).length;
    const { word, style } = VERDICT_WORDS[verdict];
    return count === 0 ? [] : [paint(style, `${count} ${word}`)];
  });
  return parts.join(' · ');
}

/** One line per group of clauses, in the specification's order. */
export function groupLines(results: readonly CheckResult[], paint: Paint): readonly string[] {
  const sections = new Set(Object.values(CLAUSES).map((clause) => clause.section));
  return [...sections].flatMap((section) => {
    const ofSection = results.filter((result) => sectionOf(result) === section);
    if (ofSection.length === 0) return [];
    return [`  ${markOf(ofSection, paint)} ${section.padEnd(15)} ${tally(ofSection, paint)}`];
  });
}
