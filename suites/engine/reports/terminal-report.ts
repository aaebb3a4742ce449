import type { CheckResult, OpenPointResult, ScenarioResult, Summary } from '../model/summary.ts';
import { printable } from '../text/printable.ts';
import { OUTCOME_STYLES, type StyleText } from './colours.ts';
import { counted, factLines, outcomeNotes, verdictCounts, VERDICTS } from './display-verdict.ts';
import { failureLines, partLines, requestPart, scenarioParts } from './failure-parts.ts';
import { type Section, type SectionItem, sections } from './sections.ts';
import { clauseTable, tableLines } from './tables.ts';

export interface TerminalReportOptions {
  readonly styleText: StyleText;
  /** `failures` leaves out everything without a problem. */
  readonly detail: 'everything' | 'failures';
  /** Of a caller: what is shown of its scenarios; absent: nothing. */
  readonly scenarios?: {
    /** Everything that the caller sent, in time. */
    readonly timeline: boolean;
    /** What each check says of each scenario, and what the caller wrote. */
    readonly verdicts: boolean;
  };
}

/** The whole report as text. Without failures it fits on one screen. */
export function terminalReport(summary: Summary, options: TerminalReportOptions): string {
  const { styleText, detail } = options;
  const all = sections(summary);
  const of = (kinds: readonly Section['kind'][]): readonly Section[] =>
    all.filter(({ kind }) => kinds.includes(kind));
  const blocksOf = (...kinds: readonly Section['kind'][]): readonly Block[] =>
    of(kinds).map((section) => blockOf(section, options));
  // Of a run that judged nothing, there are no sections, clauses or counts to show.
  const everything = detail === 'everything' && summary.notBegun === undefined;
  const blocks: readonly Block[] = [
    ...(everything
      ? [...coverageBlocks(summary, styleText), ...blocksOf('known', 'warnings', 'limits')]
      : []),
    ['Scenarios', (summary.scenarios ?? []).flatMap((each) => scenarioLines(each, options))],
    ...blocksOf('failures', 'workspace'),
  ];
  const checks = `${counted(summary.checks.length, 'check')}: ${tally(summary.checks, styleText)}`;
  const [target = '', ...facts] = factLines(summary);
  return [
    printable(target),
    ...blocks.flatMap(([title, lines]) =>
      lines.length === 0 ? [] : ['', styleText('bold', title), ...lines],
    ),
    '',
    ...(everything ? [checks, ...facts] : []),
    ...of(['not-begun', 'baseline', 'failed-on', 'cut-short', 'incomplete']).flatMap((section) =>
      endLines(section, styleText),
    ),
    `Outcome: ${styleText(OUTCOME_STYLES[summary.outcome], summary.outcome)}${outcomeNotes(summary)}`,
    '',
  ].join('\n');
}

type Block = readonly [title: string, lines: readonly string[]];

function coverageBlocks(summary: Summary, styleText: StyleText): readonly Block[] {
  const clauses = clauseTable(summary);
  return [
    [clauses.title, tableLines(clauses, styleText)],
    ['Hints', hintLines(summary)],
    ['Open points', openPointLines(summary.open, styleText)],
  ];
}

function scenarioLines(scenario: ScenarioResult, { scenarios, styleText }: TerminalReportOptions): string[] {
  if (scenarios === undefined || !(scenarios.timeline || scenarios.verdicts)) return [];
  const shown = scenarioParts(scenario).filter(
    ({ label }) => scenarios[label === 'timeline' ? 'timeline' : 'verdicts'],
  );
  const head = `${counted(scenario.requests.length, 'request')}, ${scenario.end}`;
  return [`  ${styleText('bold', scenario.name)}: ${head}`, ...partLines(shown, styleText)];
}

function blockOf({ kind, title, severity, items }: Section, options: TerminalReportOptions): Block {
  if (kind === 'failures')
    return [title, items.flatMap((item) => failedLines(item, options.styleText)).slice(0, -1)];
  const { styleText } = options;
  const mark = severity === 'warning' ? `${styleText('yellow', '!')} ` : '';
  const lines = items.flatMap(({ results, text, advice, exchange }) => [
    ...(results.length === 0 ? [`  ${mark}${printable(text)}`] : []),
    ...results.map(({ id, title: says, reason }) =>
      severity === 'note'
        ? `  ${id}: ${printable(text)}`
        : `  ${mark}${styleText('bold', id)}: ${says}: ${printable(reason)}`,
    ),
    ...partLines(exchange === undefined ? advice : requestPart('request', exchange), styleText),
  ]);
  return [title, lines];
}

/** The first failure of a group tells enough of its evidence: the others are folded. */
function failedLines({ results, alike, advice }: SectionItem, styleText: StyleText): readonly string[] {
  const lines = results.flatMap((result, i) =>
    i === 0
      ? [...failureLines(result, styleText, 'screen', advice), '']
      : [...failureLines(result, styleText, 'folded'), ''],
  );
  return alike === undefined ? lines : [`  ${printable(alike)}`, ...lines];
}

/** Each reason why it fails beside its failures, and why it is incomplete. */
function endLines({ kind, title, severity, items }: Section, styleText: StyleText): readonly string[] {
  return items.map(({ text }, i) => {
    if (kind === 'not-begun' && i > 0) return `  ${printable(text)}`;
    const line = kind === 'failed-on' ? text : `${title}: ${text}`;
    return styleText(severity === 'error' ? 'red' : 'yellow', printable(line));
  });
}

/** `3 passed · 1 observed`, the worst verdict first. */
function tally(results: readonly CheckResult[], styleText: StyleText): string {
  return verdictCounts(results)
    .map(({ verdict, word, count }) => styleText(VERDICTS[verdict].style, `${count} ${word}`))
    .join(' · ');
}

/** What would let a run decide more; a failure has its hint beside it. */
function hintLines({ checks }: Summary): readonly string[] {
  const undecided = checks.filter(({ evidence, hint }) => evidence.length === 0 && hint !== undefined);
  return [...Map.groupBy(undecided, ({ hint }) => hint)].map(([hint = '', of]) => {
    const clauses = new Set(of.flatMap((each) => each.clauses));
    return `  ${[...clauses].join(' ')}: ${printable(hint)}`;
  });
}

/** What the target does where the specification is silent, a line per clause: the other reports have all of it. */
function openPointLines(open: readonly OpenPointResult[], styleText: StyleText): readonly string[] {
  return [...Map.groupBy(open, ({ clause }) => clause)].map(([clause, points]) => {
    const texts = points.map(({ point, observed }) =>
      typeof observed === 'string' ? `${point} ${observed}` : `${point} ${JSON.stringify(observed)}`,
    );
    return `  ${styleText('cyan', clause.padEnd(7))} ${printable(texts.join(', '), 100)}`;
  });
}
