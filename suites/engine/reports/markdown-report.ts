import type { Summary } from '../model/summary.ts';
import { printable } from '../text/printable.ts';
import { factLines, ofTarget, outcomeText } from './display-verdict.ts';
import { historyOf, type ReportContext } from './history.ts';
import { type SectionItem, sections } from './sections.ts';
import { checkTable, clauseTable, openPointTable, type Table } from './tables.ts';

/** The text of `summary.md`, for the page of a CI job: failures first. `page`: the file with all evidence; empty: none. */
export function markdownReport(
  summary: Summary,
  { runs }: Pick<ReportContext, 'runs'> = { runs: [] },
  page = 'report.html',
): string {
  const [target = '', ...facts] = factLines(summary);
  const whole = page === '' ? '' : ` All evidence: ${code(page)}.`;
  return [
    `# Conformance${ofTarget(summary)}: ${outcomeText(summary)}`,
    '',
    `${code(target)}.${facts.map((line) => ` ${line}.`).join('')}${whole}`,
    '',
    ...sections(summary).flatMap(({ title, items }) => part(title, items.flatMap(itemLines))),
    ...part('Clauses', rows(clauseTable(summary))),
    ...part('History', historyLines(runs)),
    ...[openPointTable, checkTable].map((make) => make(summary)).flatMap(folded),
  ].join('\n');
}

function part(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
}

/** A line of marks, and what changed. */
function historyLines(runs: ReportContext['runs']): readonly string[] {
  const history = historyOf(runs);
  if (history === undefined) return [];
  const marks = history.marks.map(({ mark }) => mark).join(' ');
  return [`${marks} (${history.caption})`, '', ...rows(history.changes)];
}

/** A line for what it is, and one below it for each piece of advice. */
function itemLines({ results, clauses, text, advice }: SectionItem): readonly string[] {
  const names = results.map(({ id }) => code(id)).join(' ');
  return [
    results.length === 0 ? `- ${code(text)}` : `- ${names} (${clauses}): ${code(text)}`,
    ...advice.flatMap(({ label, lines }) => lines.map((line) => `  - ${label}: ${code(line)}`)),
  ];
}

function folded(table: Table): readonly string[] {
  const lines = rows(table);
  const summary = `<details><summary>${table.title}</summary>`;
  return lines.length === 0 ? [] : [summary, '', ...lines, '', '</details>', ''];
}

function rows({ head, rows: all }: Table): readonly string[] {
  const texts = all.map(({ cells }) =>
    cells.map((cell) => (typeof cell === 'string' ? cell : code(cell.said))),
  );
  const lines = [head, head.map(() => '---'), ...texts];
  return all.length === 0 ? [] : lines.map((cells) => `| ${cells.join(' | ')} |`);
}

const LONGEST = 300;

/** What the target wrote, as code: no markup, mention or link of it counts, and it cannot end a table's cell. */
function code(text: string): string {
  const visible = printable(text, LONGEST).replaceAll('|', String.raw`\|`);
  const longestFence = Math.max(0, ...(visible.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longestFence + 1);
  return visible.trim() === '' ? '' : `${fence}${longestFence > 0 ? ` ${visible} ` : visible}${fence}`;
}

/** A Markdown table with aligned columns, as the formatter writes it. */
export function markdownTable(head: readonly string[], body: readonly (readonly string[])[]): string {
  const all = [head, ...body].map((cells) => cells.map((text) => text.replaceAll('|', String.raw`\|`)));
  const widths = head.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const [first = [], ...others] = all;
  const lines = [first, widths.map((width) => '-'.repeat(width)), ...others];
  return lines
    .map((cells) => `| ${cells.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |`)
    .join('\n');
}
