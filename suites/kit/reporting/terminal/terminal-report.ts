import { coverageLines, overshadowedLines, groupLines, tally } from './coverage.ts';
import { printable } from '../../evidence/printable.ts';
import { failureLines, uncertainLines } from './failures.ts';
import { inputLines, isFailing } from '../display-verdict.ts';
import type { Paint } from '../colours.ts';
import type { Summary, OpenPointResult } from '../../model/summary.ts';
import type { RunOutcome } from '../../model/verdict.ts';

export interface TerminalReportOptions {
  readonly paint: Paint;
  /** `failures` leaves out everything that is as it should be. */
  readonly detail: 'everything' | 'failures';
  /** The command that runs just one check again. */
  readonly again: (checkId: string) => string;
}

const OUTCOMES: Readonly<Record<RunOutcome, 'green' | 'red' | 'yellow'>> = {
  conformant: 'green',
  violations: 'red',
  incomplete: 'yellow',
};

function block(title: string, lines: readonly string[], paint: Paint): readonly string[] {
  return lines.length === 0 ? [] : ['', paint('bold', title), ...lines];
}

function headline({ target, seed }: Summary): string {
  const profile = target.profile === null ? '' : `, profile ${printable(target.profile)}`;
  return `${target.baseUrl} (${target.kind}${profile}), seed ${seed}`;
}

function spentLine({ spent, durationMs, checks }: Summary, paint: Paint): string {
  const { requests, completions, outputTokens } = spent;
  const seconds = (durationMs / 1000).toFixed(1);
  const money = `${requests} requests, ${completions} completions, ${outputTokens} output tokens in ${seconds} s`;
  return `${checks.length} checks: ${tally(checks, paint)}\nSpent ${money}`;
}

function warningLines(summary: Summary, paint: Paint): readonly string[] {
  const warned = summary.checks.filter(({ verdict, known }) => verdict === 'warn' && known === undefined);
  return warned.map(
    ({ id, title, reason }) =>
      `  ${paint('yellow', '!')} ${paint('bold', id)}: ${title}: ${printable(reason)}`,
  );
}

function knownLines({ checks }: Summary): readonly string[] {
  return checks.flatMap(({ id, known }) =>
    known === undefined ? [] : [`  ${id}: ${printable(known.join('; '))}`],
  );
}

function outcomeLine({ outcome, baseline }: Summary, paint: Paint): string {
  const line = `Outcome: ${paint(OUTCOMES[outcome], outcome)}`;
  return baseline === undefined || baseline.outcome === outcome
    ? line
    : `${line}, all known; else ${baseline.outcome}`;
}

function noteLines({ warnings }: Summary, paint: Paint): readonly string[] {
  return warnings.map((warning) => `  ${paint('yellow', '!')} ${printable(warning)}`);
}

/** The whole report as text. All well, it fits one screen. */
export function terminalReport(summary: Summary, { paint, detail, again }: TerminalReportOptions): string {
  const failures = summary.checks
    .filter(isFailing)
    .flatMap((result) => failureLines(result, again(result.id), paint).concat(''));
  const everything = [
    ['Groups', groupLines(summary.checks, paint)],
    ['Clauses', coverageLines(summary, paint)],
    ['Checks without an answer, of clauses that have one', overshadowedLines(summary)],
    ['Open points', openPointLines(summary.open, paint)],
    ['Warnings', warningLines(summary, paint)],
    ['Known failures', knownLines(summary)],
    ['This run says less than it might', noteLines(summary, paint)],
  ] as const;
  return [
    headline(summary),
    ...(detail === 'everything' ? everything.flatMap(([title, lines]) => block(title, lines, paint)) : []),
    ...block('Failures', failures.slice(0, -1), paint),
    ...block('Check these in the workspace', uncertainLines(summary.uncertain), paint),
    '',
    ...(detail === 'everything' ? [spentLine(summary, paint), ...inputLines(summary)] : []),
    ...summary.cutShort.map((reason) => paint('yellow', `Cut short: ${printable(reason)}`)),
    outcomeLine(summary, paint),
    '',
  ].join('\n');
}

const WIDTH = 108;

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function pointText({ point, observed, pinned }: OpenPointResult): string {
  const text = `${point} ${printable(valueText(observed), 40)}`;
  return pinned === undefined ? text : `${text} (pinned)`;
}

/** As many as one line holds, and how many more there are. */
function oneLine(clause: string, points: readonly OpenPointResult[], paint: Paint): string {
  const texts: string[] = [];
  for (const point of points) {
    const text = pointText(point);
    if (clause.length + [...texts, text].join(', ').length > WIDTH && texts.length > 0) break;
    texts.push(text);
  }
  const more = points.length - texts.length;
  return `  ${paint('cyan', clause.padEnd(7))} ${texts.join(', ')}${more > 0 ? paint('dim', ` +${more}`) : ''}`;
}

/** What the target does where the specification is silent, a line per clause; `report.json` has all of it. */
function openPointLines(open: readonly OpenPointResult[], paint: Paint): readonly string[] {
  const byClause = Map.groupBy(open, ({ clause }) => clause);
  return [...byClause].map(([clause, points]) => oneLine(clause, points, paint));
}
