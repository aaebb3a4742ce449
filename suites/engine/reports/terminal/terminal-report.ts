import type { ScenarioResult, Summary } from '../../model/summary.ts';
import { printable } from '../../text/printable.ts';
import { OUTCOME_STYLES, type StyleText } from '../colours.ts';
import { partLines, tableLines } from '../columns.ts';
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
import { failureLines } from '../failure-lines.ts';
import { requestOf, scenarioParts } from '../failure-parts.ts';
import { clauseTable, type Section, sections } from '../sections.ts';
import { hintLines, openPointLines, sectionLines, tally, undecidedLines } from './coverage.ts';

export interface TerminalReportOptions {
  readonly styleText: StyleText;
  /** `failures` leaves out everything without a problem. */
  readonly detail: 'everything' | 'failures';
  /** The folder with the `report.html` of the run; null: none, and `--report` would make one; absent: nothing is said. */
  readonly keptIn?: string | null | undefined;
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
  // Of a run that judged nothing, there are no sections, clauses or counts to show.
  const everything = detail === 'everything' && summary.notBegun === undefined;
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
  group: FailureGroup,
  { rerunCommand, styleText, keptIn }: TerminalReportOptions,
): readonly string[] {
  const { results, clauses, code = '', path = '' } = group;
  const head = `  ${results.length} checks fail alike (${clauses.join(' ')}): ${printable(`${code} ${path}`).trim()}`;
  const lines = results.flatMap((result, i) => {
    const again = rerunCommand?.(result.id) ?? result.again;
    const advice = i === 0 ? adviceOn(group) : [];
    const extent = i === 0 ? 'screen' : 'folded';
    return [...failureLines(result, { styleText, again, keptIn, advice, extent }), ''];
  });
  return results.length === 1 ? lines : [head, ...lines];
}

const AT_THE_END: ReadonlySet<Section['kind']> = new Set([
  'not-begun',
  'baseline',
  'failed-on',
  'cut-short',
  'incomplete',
]);

/** Each reason why it fails beside its failures, and why it is incomplete. */
function endLines(parts: readonly Section[], styleText: StyleText): readonly string[] {
  return parts
    .filter(({ kind }) => AT_THE_END.has(kind))
    .flatMap(({ kind, title, severity, items }) =>
      items.map(({ text }, i) => {
        if (kind === 'not-begun' && i > 0) return `  ${printable(text)}`;
        const line = kind === 'failed-on' ? text : `${title}: ${text}`;
        return styleText(severity === 'error' ? 'red' : 'yellow', printable(line));
      }),
    );
}

function outcomeLine(summary: Summary, styleText: StyleText): string {
  const { outcome } = summary;
  return `Outcome: ${styleText(OUTCOME_STYLES[outcome], outcome)}${outcomeNotes(summary)}`;
}
