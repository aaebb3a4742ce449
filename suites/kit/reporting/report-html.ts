import { CLAUSES } from '../../../fixtures/clauses.ts';
import type { CheckResult, Summary } from '../summary.ts';
import type { Verdict } from '../verdict.ts';
import { shown } from './report-escape.ts';
import { evidenceText } from './report-evidence.ts';
import { HTML_STYLE } from './report-html-style.ts';
import { inputLines, triedOf } from './report-inputs.ts';
import { VERDICTS, VERDICT_WORDS } from './report-verdicts.ts';
import { reasonOf, standingOf } from './standing-of.ts';

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Visible, and nothing of it markup, whoever wrote it. */
function text(value: string): string {
  return shown(value, Infinity).replaceAll(/[&<>"']/g, (character) => REFERENCES[character] ?? '');
}

/** Evidence has lines of its own making, each of them visible already. */
function preformatted(value: string): string {
  return value.split('\n').map(text).join('\n');
}

/** A box for each verdict that is there; unticked, its rows are hidden by the style alone. */
function filters(checks: readonly CheckResult[]): string {
  const boxes = VERDICTS.flatMap((verdict) => {
    const count = checks.filter((each) => each.verdict === verdict).length;
    if (count === 0) return [];
    const box = `<input type="checkbox" id="show-${verdict}" checked>`;
    return `<label class="${verdict}">${box} ${count} ${VERDICT_WORDS[verdict].word}</label>`;
  });
  return `<fieldset><legend>Show</legend>${boxes.join('')}</fieldset>`;
}

function clauseText(result: CheckResult): string {
  return result.clauses.map((id) => `<abbr title="${text(CLAUSES[id].statement)}">${id}</abbr>`).join(' ');
}

function details(result: CheckResult): string {
  if (result.evidence.length === 0) return '';
  return `<details><summary>Evidence</summary><pre>${preformatted(evidenceText(result))}</pre></details>`;
}

function row(result: CheckResult): string {
  const { id, title, verdict } = result;
  const tried = triedOf(result);
  const part = tried === '' ? '' : `<p>tried ${tried} inputs</p>`;
  const name = `<code>${id}</code><p>${text(title)}</p>${part}`;
  const why = `<p>${text(reasonOf(result))}</p>${details(result)}`;
  return `<tr class="${verdict}"><td>${standingOf(result)}</td><td>${clauseText(result)}</td><td>${name}${why}</td></tr>`;
}

function list(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<h2>${title}</h2><ul>${items.map((item) => `<li>${text(item)}</li>`).join('')}</ul>`;
}

function openPoints({ open }: Summary): string {
  const rows = open.map(
    ({ clause, point, observed }) =>
      `<tr><td>${clause}</td><td><code>${text(point)}</code></td><td><code>${text(JSON.stringify(observed))}</code></td></tr>`,
  );
  return rows.length === 0 ? '' : `<h2>Open points</h2><table>${rows.join('\n')}</table>`;
}

function clauseLists({ clauses }: Summary): string {
  const line = (verdict: Verdict): string => {
    const ids = clauses.filter((clause) => clause.verdict === verdict).map(({ id }) => id);
    return ids.length === 0
      ? ''
      : `<dt>${ids.length} ${VERDICT_WORDS[verdict].word}</dt><dd>${ids.join(' ')}</dd>`;
  };
  return `<h2>Clauses</h2><dl>${VERDICTS.map(line).join('')}</dl>`;
}

function head(summary: Summary): string {
  const { outcome, target, seed, spent, startedAt, durationMs } = summary;
  const part = inputLines(summary).map((line) => `<p>${text(line)}</p>`);
  const { requests, completions, outputTokens } = spent;
  const profile = target.profile === null ? '' : `, profile ${text(target.profile)}`;
  return `<h1>Conformance: <span class="${outcome}">${outcome}</span></h1>
<p><code>${text(target.baseUrl)}</code> (${target.kind}${profile}), seed ${seed}, ${text(startedAt)}</p>
<p>Spent ${requests} requests, ${completions} completions, ${outputTokens} output tokens in ${(durationMs / 1000).toFixed(1)} s</p>${part.join('')}`;
}

/** The text of `report.html`: one file that needs no other, and runs no script. */
export function htmlReport(summary: Summary): string {
  const { checks, outcome, uncertain, cutShort, warnings, baseline } = summary;
  const keys = uncertain.map(({ id, idempotencyKey, reason }) => `${idempotencyKey ?? id}: ${reason}`);
  const rows = VERDICTS.flatMap((verdict) => checks.filter((each) => each.verdict === verdict)).map(row);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conformance: ${outcome}</title>
<style>${HTML_STYLE}</style>
</head>
<body>
${head(summary)}
${list('The baseline is out of date', baseline?.problems ?? [])}
${list('Check these in the workspace', keys)}
${list('Cut short', cutShort)}
${list('This run says less than it might', warnings)}
<h2>Checks</h2>
${filters(checks)}
<table>
${rows.join('\n')}
</table>
${clauseLists(summary)}
${openPoints(summary)}
</body>
</html>
`;
}
