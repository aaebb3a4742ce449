import type { CheckResult, Summary } from '../model/summary.ts';
import { printable } from '../evidence/printable.ts';
import {
  inputLines,
  triedOf,
  VERDICTS,
  VERDICT_WORDS,
  isFailing,
  reasonOf,
  displayVerdict,
} from './display-verdict.ts';

const LONGEST = 300;

/** Whatever the target wrote, as code: no markup, no mention, no link, no end of a table's cell. */
function code(text: string): string {
  const visible = printable(text, LONGEST).replaceAll('|', String.raw`\|`);
  const longest = Math.max(0, ...(visible.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return visible.trim() === '' ? '' : `${fence}${longest > 0 ? ` ${visible} ` : visible}${fence}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
}

function checkTable(results: readonly CheckResult[]): readonly string[] {
  if (results.length === 0) return [];
  const rows = results.map((result) => [code(result.id), result.clauses.join(' '), code(reasonOf(result))]);
  return table(['check', 'clauses', 'why'], rows);
}

function clauseTable({ clauses }: Summary): readonly string[] {
  const rows = VERDICTS.flatMap((verdict) => {
    const ids = clauses.filter((clause) => clause.verdict === verdict).map(({ id }) => id);
    return ids.length === 0 ? [] : [[VERDICT_WORDS[verdict].word, String(ids.length), ids.join(' ')]];
  });
  return table(['verdict', 'clauses', ''], rows);
}

function uncertainTable({ uncertain }: Summary): readonly string[] {
  if (uncertain.length === 0) return [];
  const rows = uncertain.map(({ id, idempotencyKey, reason }) => [
    code(idempotencyKey ?? 'none was sent'),
    code(reason),
    code(id),
  ]);
  return table(['Idempotency-Key', 'why', 'exchange'], rows);
}

function everyCheck({ checks }: Summary): readonly string[] {
  const rows = checks.map((result) => [
    code(result.id),
    result.clauses.join(' '),
    displayVerdict(result),
    triedOf(result),
    code(reasonOf(result)),
  ]);
  const summary = `<details><summary>All ${checks.length} checks</summary>`;
  return [
    summary,
    '',
    ...table(['check', 'clauses', 'verdict', 'inputs', 'why'], rows),
    '',
    '</details>',
    '',
  ];
}

function spentLine({ spent, durationMs }: Summary): string {
  const { requests, completions, outputTokens } = spent;
  return `Spent ${requests} requests, ${completions} completions, ${outputTokens} output tokens in ${(durationMs / 1000).toFixed(1)} s.`;
}

/** The text of `summary.md`, for the page of a CI job: what failed first. */
export function markdownReport(summary: Summary): string {
  const { outcome, target, seed, checks, cutShort, warnings, baseline } = summary;
  const profile = target.profile === null ? '' : `, profile ${code(target.profile)}`;
  const list = (texts: readonly string[]): readonly string[] => texts.map((text) => `- ${code(text)}`);
  return [
    `# Conformance: ${outcome}`,
    '',
    `${code(target.baseUrl)} (${target.kind}${profile}), seed ${seed}. ${[spentLine(summary), ...inputLines(summary).map((line) => `${line}.`)].join(' ')}`,
    '',
    ...section('Failures', checkTable(checks.filter(isFailing))),
    ...section('The baseline is out of date', list(baseline?.problems ?? [])),
    ...section('Known failures', checkTable(checks.filter(({ known }) => known !== undefined))),
    ...section(
      'Warnings',
      checkTable(checks.filter(({ verdict, known }) => verdict === 'warn' && known === undefined)),
    ),
    ...section('Check these in the workspace', uncertainTable(summary)),
    ...section('Cut short', list(cutShort)),
    ...section('This run says less than it might', list(warnings)),
    ...section('Clauses', clauseTable(summary)),
    ...everyCheck(summary),
  ].join('\n');
}
