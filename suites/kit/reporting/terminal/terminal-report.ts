import { printable } from '../../evidence/printable.ts';
import type { NotBegun, Summary } from '../../model/summary.ts';
import { OUTCOME_STYLES, type StyleText } from '../colours.ts';
import {
  exhaustiveLines,
  inputsLines,
  isFailing,
  isWarning,
  seedText,
  spentText,
} from '../display-verdict.ts';
import { failureGroups, type FailureGroup } from '../failure-groups.ts';
import { incompleteReasons, firstAnswerLines } from '../incomplete.ts';
import { outcomeNotes } from '../outcome-text.ts';
import { clauseLines, openPointLines, sectionLines, tally, undecidedLines } from './coverage.ts';
import { adviceLines, failureLines, foldedLines, uncertainLines } from './failures.ts';
import { type ScenarioDetail, scenarioLines } from './scenarios.ts';

export interface TerminalReportOptions {
  readonly styleText: StyleText;
  /** `failures` leaves out everything without a problem. */
  readonly detail: 'everything' | 'failures';
  /** The command that runs just one check again. Absent: that of the report. */
  readonly rerunCommand?: (checkId: string) => string;
  /** Of a caller: what is shown of its scenarios; absent: nothing. */
  readonly scenarios?: ScenarioDetail;
}

/** The whole report as text. Without failures it fits on one screen. */
export function terminalReport(summary: Summary, options: TerminalReportOptions): string {
  const { styleText, detail } = options;
  const { notBegun } = summary;
  if (notBegun !== undefined) return notBegunReport(summary, notBegun, styleText);
  const everything = detail === 'everything';
  return [
    headline(summary),
    ...(everything ? blocks(coverageBlocks(summary, styleText), styleText) : []),
    ...blocks(scenarioBlocks(summary, options), styleText),
    ...blocks(problemBlocks(summary, options), styleText),
    '',
    ...(everything ? [countLine(summary, styleText), spentText(summary).join(' ')] : []),
    ...(everything ? [...inputsLines(summary), ...exhaustiveLines(summary)] : []),
    ...reasonLines(summary, styleText),
    outcomeLine(summary, styleText),
    '',
  ].join('\n');
}

/** Nothing was judged: there are no sections, clauses or counts to show. */
function notBegunReport(summary: Summary, notBegun: NotBegun, styleText: StyleText): string {
  return [
    headline(summary),
    '',
    styleText('red', `The run could not begin: ${printable(notBegun.reason)}`),
    ...firstAnswerLines(notBegun).map((line) => `  ${line}`),
    '',
    outcomeLine(summary, styleText),
    '',
  ].join('\n');
}

function headline(summary: Summary): string {
  const { target } = summary;
  const profile = target.profile === null ? '' : `, profile ${printable(target.profile)}`;
  return `${printable(target.baseUrl)} (${target.kind}${profile})${seedText(summary)}`;
}

type Block = readonly [title: string, lines: readonly string[]];

function blocks(all: readonly Block[], styleText: StyleText): readonly string[] {
  return all.flatMap(([title, lines]) =>
    lines.length === 0 ? [] : ['', styleText('bold', title), ...lines],
  );
}

function coverageBlocks(summary: Summary, styleText: StyleText): readonly Block[] {
  return [
    ['Sections', sectionLines(summary.checks, styleText)],
    ['Clauses', clauseLines(summary, styleText)],
    ['Checks without a verdict, of clauses that other checks decided', undecidedLines(summary)],
    ['Open points', openPointLines(summary.open, styleText)],
    ['Warnings', warningLines(summary, styleText)],
    ['Known failures', knownLines(summary)],
    ['Limits of this run', limitLines(summary, styleText)],
  ];
}

function scenarioBlocks(
  { scenarios = [] }: Summary,
  { scenarios: detail = { timeline: false, verdicts: false }, styleText }: TerminalReportOptions,
): readonly Block[] {
  return [['Scenarios', scenarioLines(scenarios, detail, styleText)]];
}

function problemBlocks(summary: Summary, options: TerminalReportOptions): readonly Block[] {
  const failures = failureGroups(summary, isFailing).flatMap((group) => groupLines(group, options));
  return [
    ['Failures', failures.slice(0, -1)],
    ['Check these in the workspace', uncertainLines(summary.uncertain)],
  ];
}

/** The first failure of a group tells enough of its evidence: the others are folded. */
function groupLines(
  { results, clauses, ...advice }: FailureGroup,
  { rerunCommand, styleText }: TerminalReportOptions,
): readonly string[] {
  const [{ failures }, ...others] = results;
  const shared = [failures[0]?.code, failures[0]?.path].filter((part) => part !== undefined).join(' ');
  const head = `  ${results.length} checks fail alike (${clauses.join(' ')}): ${printable(shared)}`;
  const lines = results.flatMap((result, i) => {
    const again = rerunCommand?.(result.id) ?? result.again;
    return [...(i === 0 ? failureLines : foldedLines)(result, again, styleText), ''];
  });
  const told = adviceLines(advice, styleText);
  return [
    ...(others.length === 0 ? [] : [head]),
    ...(told.length === 0 ? lines : [...lines.slice(0, -1), ...told, '']),
  ];
}

function warningLines(summary: Summary, styleText: StyleText): readonly string[] {
  return failureGroups(summary, isWarning).flatMap(({ results, ...advice }) => [
    ...results.map(
      ({ id, title, reason }) =>
        `  ${styleText('yellow', '!')} ${styleText('bold', id)}: ${title}: ${printable(reason)}`,
    ),
    ...adviceLines(advice, styleText),
  ]);
}

function knownLines({ checks }: Summary): readonly string[] {
  return checks.flatMap(({ id, known }) =>
    known === undefined ? [] : [`  ${id}: ${printable(known.join('; '))}`],
  );
}

function limitLines({ warnings }: Summary, styleText: StyleText): readonly string[] {
  return warnings.map((warning) => `  ${styleText('yellow', '!')} ${printable(warning)}`);
}

function countLine({ checks }: Summary, styleText: StyleText): string {
  return `${checks.length} checks: ${tally(checks, styleText)}`;
}

/** Each reason why it fails beside its failures, and why it is incomplete. */
function reasonLines(summary: Summary, styleText: StyleText): readonly string[] {
  const { baseline, failedOn = [], cutShort } = summary;
  return [
    ...(baseline?.problems ?? []).map((problem) =>
      styleText('red', `Baseline out of date: ${printable(problem)}`),
    ),
    ...failedOn.map((line) => styleText('red', line)),
    ...cutShort.map((reason) => styleText('yellow', `Cut short: ${printable(reason)}`)),
    ...incompleteReasons(summary).map((reason) => styleText('yellow', `Incomplete: ${printable(reason)}`)),
  ];
}

function outcomeLine(summary: Summary, styleText: StyleText): string {
  const { outcome } = summary;
  return `Outcome: ${styleText(OUTCOME_STYLES[outcome], outcome)}${outcomeNotes(summary)}`;
}
