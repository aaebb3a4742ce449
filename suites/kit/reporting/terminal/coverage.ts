import { printable } from '../../evidence/printable.ts';
import type { Paint } from '../colours.ts';
import { VERDICTS, VERDICT_WORDS, sectionOf } from '../display-verdict.ts';
import { wrapWords } from '../wrap-words.ts';
import type { CheckResult, ClauseResult, Summary } from '../../model/summary.ts';
import type { Verdict } from '../../model/verdict.ts';
import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';

const WIDTH = 110;

/** These say little without the reason, so the clauses stand under it. */
const NEED_A_REASON: ReadonlySet<Verdict> = new Set(['not-exercised', 'inconclusive', 'error']);

function idsLine(indent: string, clauses: readonly ClauseResult[]): string {
  const ids = clauses.map(({ id }) => id);
  return wrapWords(indent, ids, WIDTH);
}

function verdictLines(verdict: Verdict, clauses: readonly ClauseResult[], paint: Paint): readonly string[] {
  if (clauses.length === 0) return [];
  const { word, style } = VERDICT_WORDS[verdict];
  const heading = `  ${paint(style, `${clauses.length} ${word}`)}`;
  if (!NEED_A_REASON.has(verdict)) return [heading, idsLine('    ', clauses)];
  const byReason = Map.groupBy(clauses, ({ reason }) => reason);
  const groups = [...byReason].map(([reason, same]) => [`    ${printable(reason)}`, idsLine('      ', same)]);
  return [heading, ...groups.flat()];
}

/** A check without an answer whose clauses other checks answered: nothing else would say why. */
function isOvershadowed(check: CheckResult, clauses: readonly ClauseResult[]): boolean {
  if (check.verdict !== 'not-exercised' && check.verdict !== 'inconclusive') return false;
  return clauses.every(({ id, verdict }) => !check.clauses.includes(id) || !NEED_A_REASON.has(verdict));
}

/** The checks of which the clauses do not tell that they have no answer, each with the reason. */
export function overshadowedLines({ checks, clauses }: Summary): readonly string[] {
  const overshadowed = checks.filter((check) => isOvershadowed(check, clauses));
  return overshadowed.map(({ id, reason }) => `  ${id}: ${printable(reason)}`);
}

/** Every clause under its verdict; those without an answer under the reason why. */
export function coverageLines(summary: Summary, paint: Paint): readonly string[] {
  const verdicts = VERDICTS.flatMap((verdict) => {
    const clauses = summary.clauses.filter((clause) => clause.verdict === verdict);
    return verdictLines(verdict, clauses, paint);
  });
  const hints = new Set(summary.checks.flatMap(({ hint }) => (hint === undefined ? [] : [printable(hint)])));
  return [...verdicts, ...[...hints].map((hint) => `  ${paint('dim', `hint: ${hint}`)}`)];
}

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
