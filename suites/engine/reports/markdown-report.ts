import type { Summary } from '../model/summary.ts';
import { printable } from '../text/printable.ts';
import {
  displayReason,
  displayVerdict,
  inputsLines,
  seedText,
  spentText,
  triedInputs,
  verdictCounts,
  clausesText,
  outcomeText,
} from './display-verdict.ts';
import { type Item, sections } from './sections.ts';

/** The text of `summary.md`, for the page of a CI job: failures first. */
export function markdownReport(summary: Summary): string {
  return [
    `# Conformance: ${outcomeText(summary)}`,
    '',
    factsLine(summary),
    '',
    ...sections(summary).flatMap(({ title, items }) => part(title, items.flatMap(itemLines))),
    ...part('Clauses', clauseTable(summary)),
    ...part('Passed in part', partTable(summary)),
    ...everyCheck(summary),
  ].join('\n');
}

function factsLine(summary: Summary): string {
  const { target } = summary;
  const profile = target.profile === null ? '' : `, profile ${code(target.profile)}`;
  const run = `${code(target.baseUrl)} (${target.kind}${profile})${seedText(summary)}`;
  return [run, spentText(summary).join(' '), ...inputsLines(summary)].map((line) => `${line}.`).join(' ');
}

function part(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
}

/** A line for what it is, and one below it for each piece of advice. */
function itemLines({ results, clauses, text, advice }: Item): readonly string[] {
  const names = results.map(({ id }) => code(id)).join(' ');
  return [
    results.length === 0 ? `- ${code(text)}` : `- ${names} (${clauses}): ${code(text)}`,
    ...advice.map(([label, line]) => `  - ${label}: ${code(line)}`),
  ];
}

function clauseTable({ clauses }: Summary): readonly string[] {
  const rows = verdictCounts(clauses).map(({ word, count, results }) => [
    word,
    String(count),
    results.map(({ id }) => id).join(' '),
  ]);
  return table(['verdict', 'clauses', ''], rows);
}

/** What was not seen of the clauses that passed in part. */
function partTable({ clauses }: Summary): readonly string[] {
  const rows = clauses.flatMap(({ id, missing = [] }) =>
    missing.map(({ duty, reason }) => [id, code(duty), code(reason)]),
  );
  return table(['clause', 'without', 'reason'], rows);
}

function everyCheck({ checks }: Summary): readonly string[] {
  const rows = checks.map((result) => [
    code(result.id),
    clausesText(result),
    displayVerdict(result),
    triedInputs(result),
    code(displayReason(result)),
  ]);
  const summary = `<details><summary>All ${checks.length} checks</summary>`;
  const lines = table(['check', 'clauses', 'verdict', 'inputs', 'reason'], rows);
  return [summary, '', ...lines, '', '</details>', ''];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

const LONGEST = 300;

/** What the target wrote, as code: no markup, mention or link of it counts, and it cannot end a table's cell. */
function code(text: string, longest = LONGEST): string {
  const visible = printable(text, longest).replaceAll('|', String.raw`\|`);
  const longestFence = Math.max(0, ...(visible.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longestFence + 1);
  return visible.trim() === '' ? '' : `${fence}${longestFence > 0 ? ` ${visible} ` : visible}${fence}`;
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}

/** A Markdown table with aligned columns, as the formatter writes it. */
export function markdownTable(head: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [head, ...body].map((cells) => cells.map(cell));
  const widths = head.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const [first = [], ...others] = rows;
  const rule = widths.map((width) => '-'.repeat(width));
  const lines = [first, rule, ...others].map((cells) => cells.map((text, i) => text.padEnd(widths[i] ?? 0)));
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
