import { printable } from '../../evidence/show-exchange.ts';
import type { NotBegun, Summary } from '../../model/summary.ts';
import { causeShown, causeTitles, failureGroups, type FailureGroup } from '../causes.ts';
import { OUTCOME_STYLES, type StyleText } from '../colours.ts';
import { exhaustiveLines, inputsLines, seedText, spentText } from '../display-verdict.ts';
import { incompleteReasons, firstAnswerLines } from '../incomplete.ts';
import { wrapWords } from '../wrap-words.ts';
import { clauseLines, openPointLines, sectionLines, tally, undecidedLines } from './coverage.ts';
import { failureLines, foldedLines, uncertainLines } from './failures.ts';
import { type ScenarioDetail, scenarioLines } from './scenarios.ts';

const WIDTH = 110;

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
    ...summary.cutShort.map((reason) => styleText('yellow', `Cut short: ${printable(reason)}`)),
    ...incompleteReasons(summary).map((reason) => styleText('yellow', `Incomplete: ${printable(reason)}`)),
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
  const { styleText } = options;
  const failures = failureGroups(summary).flatMap((group) => groupLines(group, options));
  return [
    ['Likely causes', causeLines(summary, styleText)],
    ['Failures', failures.slice(0, -1)],
    ['Check these in the workspace', uncertainLines(summary.uncertain)],
  ];
}

/** The first failure of a likely cause tells enough of it: the others are folded. */
function groupLines(
  { cause, failures }: FailureGroup,
  { rerunCommand, styleText }: TerminalReportOptions,
): readonly string[] {
  return failures.flatMap((result, i) => {
    const again = rerunCommand?.(result.id) ?? result.again;
    const isFolded = cause?.isLikely === true && i > 0;
    const lines = (isFolded ? foldedLines : failureLines)(result, again, styleText);
    return [...lines, ''];
  });
}

function causeLines({ causes = [] }: Summary, styleText: StyleText): readonly string[] {
  return causes.flatMap((cause) => [
    ...causeTitles(cause).map((line, i) => `  ${i === 0 ? styleText('red', '●') : ' '} ${printable(line)}`),
    wrapWords(`    ${styleText('dim', 'explains')} `, cause.checks, WIDTH),
    `    ${styleText('dim', 'see it')}   ${causeShown(cause)}`,
  ]);
}

function warningLines({ checks }: Summary, styleText: StyleText): readonly string[] {
  const warned = checks.filter(({ verdict, known }) => verdict === 'warn' && known === undefined);
  return warned.map(
    ({ id, title, reason }) =>
      `  ${styleText('yellow', '!')} ${styleText('bold', id)}: ${title}: ${printable(reason)}`,
  );
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

function outcomeLine({ outcome, baseline }: Summary, styleText: StyleText): string {
  const line = `Outcome: ${styleText(OUTCOME_STYLES[outcome], outcome)}`;
  return baseline === undefined || baseline.outcome === outcome
    ? line
    : `${line} (apart from known failures: ${baseline.outcome})`;
}
