import type { ScenarioResult, Summary } from '../../model/summary.ts';
import { printable } from '../../text/printable.ts';
import { OUTCOME_STYLES, type StyleText } from '../colours.ts';
import { tableLines } from '../columns.ts';
import {
  counted,
  headline,
  inputsLines,
  isFailing,
  latencyLines,
  outcomeNotes,
  spentText,
} from '../display-verdict.ts';
import { adviceOn, failureGroups, type FailureGroup } from '../failure-groups.ts';
import { failureLines, partLines } from '../failure-lines.ts';
import { requestOf, scenarioParts } from '../failure-parts.ts';
import { clauseTable, type Section, sections } from '../sections.ts';
import { hintLines, openPointLines, sectionLines, tally, undecidedLines } from './coverage.ts';

export interface TerminalReportOptions {
  readonly styleText: StyleText;
  /** `failures` leaves out everything without a problem. */
  readonly detail: 'everything' | 'failures';
  /** The folder with the `report.html` of the run; absent: there is none. */
  readonly keptIn?: string | undefined;
  /** The command that runs just one check again. Absent: that of the report. */
  readonly rerunCommand?: (checkId: string) => string;
  /** Of a caller: what is shown of its scenarios; absent: nothing. */
  readonly scenarios?: ScenarioDetail;
}

/** Which reports of the scenarios of a caller are wanted. */
export interface ScenarioDetail {
  /** Everything that the caller sent, in time. */
  readonly timeline: boolean;
  /** What each check says of each scenario, and what the caller wrote. */
  readonly verdicts: boolean;
}

/** The whole report as text. Without failures it fits on one screen. */
export function terminalReport(summary: Summary, options: TerminalReportOptions): string {
  const { styleText, detail } = options;
  const parts = sections(summary);
  if (summary.notBegun !== undefined) return notBegunReport(summary, parts, styleText);
  const everything = detail === 'everything';
  const blocks = [
    ...(everything ? coverageBlocks(summary, parts, styleText) : []),
    ['Scenarios', (summary.scenarios ?? []).flatMap((each) => scenarioLines(each, options))] as const,
    ...problemBlocks(summary, parts, options),
  ].filter(([, lines]) => lines.length > 0);
  const checks = `${summary.checks.length} checks: ${tally(summary.checks, styleText)}`;
  return [
    printable(headline(summary)),
    ...blocks.flatMap(([title, lines]) => ['', styleText('bold', title), ...lines]),
    '',
    ...(everything ? [checks, spentText(summary), ...latencyLines(summary), ...inputsLines(summary)] : []),
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
    printable(headline(summary)),
    '',
    styleText('red', `The run could not begin: ${reason}`),
    ...answer.map((line) => `  ${line}`),
    '',
    outcomeLine(summary, styleText),
    '',
  ].join('\n');
}

type Block = readonly [title: string, lines: readonly string[]];

function coverageBlocks(summary: Summary, parts: readonly Section[], styleText: StyleText): readonly Block[] {
  const clauses = clauseTable(summary);
  return [
    ['Sections', sectionLines(summary.checks, styleText)],
    [clauses.title, tableLines(clauses, styleText)],
    ['Hints', hintLines(summary)],
    ['Undecided checks, of clauses that other checks decided', undecidedLines(summary)],
    ['Open points', openPointLines(summary.open, styleText)],
    ...parts.filter(({ kind }) => WHOLE_REPORT.has(kind)).map((part) => blockOf(part, styleText)),
  ];
}

/** What only the whole report has. */
const WHOLE_REPORT: ReadonlySet<Section['kind']> = new Set(['known', 'warnings', 'limits']);

function scenarioLines(scenario: ScenarioResult, options: TerminalReportOptions): readonly string[] {
  const { scenarios: { timeline, verdicts } = { timeline: false, verdicts: false }, styleText } = options;
  if (!timeline && !verdicts) return [];
  const shown = scenarioParts(scenario).filter(({ label }) => (label === 'timeline' ? timeline : verdicts));
  const head = `${counted(scenario.requests.length, 'request')}, ${scenario.end}`;
  return [`  ${styleText('bold', scenario.name)}: ${head}`, ...partLines(shown, styleText)];
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

function blockOf({ title, severity, items }: Section, styleText: StyleText): Block {
  const mark = severity === 'warning' ? `${styleText('yellow', '!')} ` : '';
  const lines = items.flatMap(({ results, text, advice, exchange }) => [
    ...(results.length === 0 ? [`  ${mark}${printable(text)}`] : []),
    ...results.map(({ id, title: says, reason }) =>
      severity === 'note'
        ? `  ${id}: ${printable(text)}`
        : `  ${mark}${styleText('bold', id)}: ${says}: ${printable(reason)}`,
    ),
    ...partLines(
      exchange === undefined ? advice : [{ label: 'request', message: requestOf(exchange) }],
      styleText,
    ),
  ]);
  return [title, lines];
}

/** The first failure of a group tells enough of its evidence: the others are folded. */
function groupLines(
  { results, clauses, ...advice }: FailureGroup,
  { rerunCommand, styleText, keptIn }: TerminalReportOptions,
): readonly string[] {
  const [{ failures }, ...others] = results;
  const shared = [failures[0]?.code, failures[0]?.path].filter((part) => part !== undefined).join(' ');
  const head = `  ${results.length} checks fail alike (${clauses.join(' ')}): ${printable(shared)}`;
  const lines = results.map((result, i) => {
    const again = rerunCommand?.(result.id) ?? result.again;
    return failureLines(result, { styleText, again, keptIn, extent: i === 0 ? 'screen' : 'folded' });
  });
  const told = partLines(adviceOn(advice), styleText);
  return [
    ...(others.length === 0 ? [] : [head]),
    ...lines.flatMap((each, i) => [...each, ...(i === lines.length - 1 ? told : []), '']),
  ];
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
