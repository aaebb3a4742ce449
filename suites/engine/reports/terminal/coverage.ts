import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';
import { OWN_SECTION } from '../../model/check.ts';
import type { CheckResult, ClauseResult, OpenPointResult, Summary, Verdict } from '../../model/summary.ts';
import { printable } from '../../text/printable.ts';
import { type StyleText, VERDICT_STYLES } from '../colours.ts';
import { IN_PART, missingLines, sectionOf, verdictCounts } from '../display-verdict.ts';
import { wrapWords } from '../wrap-words.ts';

const WIDTH = 110;

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

/** These mean little without their reason, so clauses are listed under it. */
const NEED_A_REASON: ReadonlySet<Verdict> = new Set(['not-exercised', 'inconclusive', 'error']);

/** Every clause under its verdict, then the hints. */
export function clauseLines({ clauses, checks }: Summary, styleText: StyleText): readonly string[] {
  const lines = verdictCounts(clauses).flatMap(({ verdict, word, count, results }) => [
    `  ${styleText(VERDICT_STYLES[verdict], `${count} ${word}`)}`,
    ...(word === IN_PART ? results.flatMap(partLines) : linesOf(verdict, results)),
  ]);
  const hints = new Set(checks.flatMap(({ hint }) => (hint === undefined ? [] : [printable(hint)])));
  return [...lines, ...[...hints].map((hint) => `  ${styleText('dim', `hint: ${hint}`)}`)];
}

function linesOf(verdict: Verdict, clauses: readonly ClauseResult[]): readonly string[] {
  if (!NEED_A_REASON.has(verdict)) return [idsLines('    ', clauses)];
  const byReason = Map.groupBy(clauses, ({ reason }) => reason);
  return [...byReason].flatMap(([reason, same]) => [`    ${printable(reason)}`, idsLines('      ', same)]);
}

/** What was not seen of a clause that passed in part, and why. */
function partLines(clause: ClauseResult): readonly string[] {
  return missingLines(clause).map((line) => `    ${clause.id.padEnd(7)} without: ${printable(line)}`);
}

function idsLines(indent: string, clauses: readonly ClauseResult[]): string {
  return wrapWords(
    indent,
    clauses.map(({ id }) => id),
    WIDTH,
  );
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

/** What the target does where the specification is silent, a line per clause; `report.json` has all of it. */
export function openPointLines(open: readonly OpenPointResult[], styleText: StyleText): readonly string[] {
  const byClause = Map.groupBy(open, ({ clause }) => clause);
  return [...byClause].map(([clause, points]) => pointsLine(clause, points.map(pointText), styleText));
}

/** As many points as fit on one line, and the number of the others. */
function pointsLine(clause: string, points: readonly string[], styleText: StyleText): string {
  const kept: string[] = [];
  for (const point of points) {
    if (clause.length + [...kept, point].join(', ').length > WIDTH - 2 && kept.length > 0) break;
    kept.push(point);
  }
  const more = points.length - kept.length;
  const rest = more > 0 ? styleText('dim', ` +${more}`) : '';
  return `  ${styleText('cyan', clause.padEnd(7))} ${kept.join(', ')}${rest}`;
}

function pointText({ point, observed, pinned }: OpenPointResult): string {
  const value = typeof observed === 'string' ? observed : JSON.stringify(observed);
  return `${point} ${printable(value, 40)}${pinned === undefined ? '' : ' (pinned)'}`;
}
