import type { Summary } from '../../model/summary.ts';
import { printable } from '../../text/printable.ts';
import { OUTCOME_STYLES, type StyleText } from '../colours.ts';
import { inputsLines, isFailing, seedText, spentText, outcomeNotes } from '../display-verdict.ts';
import { adviceOn, failureGroups, type FailureGroup } from '../failure-groups.ts';
import { adviceLines, failureLines, foldedLines, requestLines } from '../failure-lines.ts';
import { type Section, sections } from '../sections.ts';
import { clauseLines, openPointLines, sectionLines, tally, undecidedLines } from './coverage.ts';
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
  const parts = sections(summary);
  if (summary.notBegun !== undefined) return notBegunReport(summary, parts, styleText);
  const everything = detail === 'everything';
  return [
    headline(summary),
    ...(everything ? blocks(coverageBlocks(summary, parts, styleText), styleText) : []),
    ...blocks(scenarioBlocks(summary, options), styleText),
    ...blocks(problemBlocks(summary, parts, options), styleText),
    '',
    ...(everything ? [countLine(summary, styleText), spentText(summary).join(' ')] : []),
    ...(everything ? inputsLines(summary) : []),
    ...endLines(parts, styleText),
    outcomeLine(summary, styleText),
    '',
  ].join('\n');
}

/** Nothing was judged: there are no sections, clauses or counts to show. */
function notBegunReport(summary: Summary, parts: readonly Section[], styleText: StyleText): string {
  const begin = parts.flatMap(({ kind, items }) => (kind === 'not-begun' ? items : []));
  const [reason, ...answer] = begin.map(({ text }) => printable(text));
  return [
    headline(summary),
    '',
    styleText('red', `The run could not begin: ${reason}`),
    ...answer.map((line) => `  ${line}`),
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

function coverageBlocks(summary: Summary, parts: readonly Section[], styleText: StyleText): readonly Block[] {
  return [
    ['Sections', sectionLines(summary.checks, styleText)],
    ['Clauses', clauseLines(summary, styleText)],
    ['Checks without a verdict, of clauses that other checks decided', undecidedLines(summary)],
    ['Open points', openPointLines(summary.open, styleText)],
    ...parts.filter(({ kind }) => WHOLE_REPORT.has(kind)).map((part) => blockOf(part, styleText)),
  ];
}

function scenarioBlocks(
  { scenarios = [] }: Summary,
  { scenarios: detail = { timeline: false, verdicts: false }, styleText }: TerminalReportOptions,
): readonly Block[] {
  return [['Scenarios', scenarioLines(scenarios, detail, styleText)]];
}

function problemBlocks(
  summary: Summary,
  parts: readonly Section[],
  options: TerminalReportOptions,
): readonly Block[] {
  const failures = failureGroups(summary, isFailing).flatMap((group) => groupLines(group, options));
  const workspace = parts.filter(({ kind }) => kind === 'workspace');
  return [['Failures', failures.slice(0, -1)], ...workspace.map((part) => blockOf(part, options.styleText))];
}

/** What only the whole report has. */
const WHOLE_REPORT: ReadonlySet<Section['kind']> = new Set(['known', 'warnings', 'limits']);

function blockOf({ title, severity, items }: Section, styleText: StyleText): Block {
  const mark = severity === 'warning' ? `${styleText('yellow', '!')} ` : '';
  const lines = items.flatMap(({ results, text, advice, exchange }) => [
    ...(results.length === 0 ? [`  ${mark}${printable(text)}`] : []),
    ...results.map(({ id, title: says, reason }) =>
      severity === 'note'
        ? `  ${id}: ${printable(text)}`
        : `  ${mark}${styleText('bold', id)}: ${says}: ${printable(reason)}`,
    ),
    ...(exchange === undefined ? [] : requestLines(exchange).map((line) => `      ${line}`)),
    ...adviceLines(advice, styleText),
  ]);
  return [title, lines];
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
  const told = adviceLines(adviceOn(advice), styleText);
  return [
    ...(others.length === 0 ? [] : [head]),
    ...(told.length === 0 ? lines : [...lines.slice(0, -1), ...told, '']),
  ];
}

function countLine({ checks }: Summary, styleText: StyleText): string {
  return `${checks.length} checks: ${tally(checks, styleText)}`;
}

/** Each reason why it fails beside its failures, and why it is incomplete. */
function endLines(parts: readonly Section[], styleText: StyleText): readonly string[] {
  const ends = parts.filter(({ kind }) =>
    ['baseline', 'failed-on', 'cut-short', 'incomplete'].includes(kind),
  );
  return ends.flatMap(({ kind, title, severity, items }) =>
    items.map(({ text }) => {
      const line = kind === 'failed-on' ? text : `${title}: ${text}`;
      return styleText(severity === 'error' ? 'red' : 'yellow', printable(line));
    }),
  );
}

function outcomeLine(summary: Summary, styleText: StyleText): string {
  const { outcome } = summary;
  return `Outcome: ${styleText(OUTCOME_STYLES[outcome], outcome)}${outcomeNotes(summary)}`;
}
