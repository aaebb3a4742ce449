import { CLAUSES } from '../../../fixtures/clauses/clauses.ts';
import { OWN_SECTION } from '../model/check.ts';
import type { CheckResult, ClauseResult, Summary, Verdict } from '../model/summary.ts';
import { WEIGHTIEST_FIRST } from '../summary/clause-results.ts';
import {
  counted,
  countText,
  displayReason,
  displayVerdict,
  factLines,
  IN_PART,
  isFailing,
  missingLines,
  outcomeNotes,
  triedInputs,
  verdictCounts,
  ofTarget,
} from './display-verdict.ts';
import { failureParts, type Part, requestPart, scenarioParts } from './failure-parts.ts';
import { historyOf, type ReportContext } from './history.ts';
import { HTML_STYLE } from './html-style.ts';
import { folded, html, line, type Markup, ownStyle, titled } from './markup.ts';
import { type Section, type SectionItem, sections } from './sections.ts';
import { type Cell, openPointTable, selectedClauses, type Table } from './tables.ts';

/** The text of `report.html`: one file that loads no other, and runs no script. */
export function htmlReport(summary: Summary, { runs }: Pick<ReportContext, 'runs'> = { runs: [] }): string {
  const { outcome, target, startedAt } = summary;
  const facts = [`started ${startedAt}`, ...factLines(summary)];
  const number = `, ${countText(summary)}${outcomeNotes(summary)}`;
  const counts = verdictCounts(summary.checks).map(
    ({ verdict, word, count }) => html`<span class="verdict ${verdict}">${count} ${word}</span> `,
  );
  const { markup } = html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
        />
        <title>${outcome}, ${countText(summary)}: ${target.baseUrl}</title>
        ${ownStyle(HTML_STYLE)}
      </head>
      <body>
        <header>
          <h1>Conformance${ofTarget(summary)}: <span class="${outcome}">${outcome}</span>${number}</h1>
          <p class="soft">${target.baseUrl}</p>
          <p>${counts}</p>
        </header>
        <main>
          ${sections(summary).map((each) => (each.kind === 'failures' ? failures(each) : notice(each)))}
          ${checksSection(summary)} ${scenariosSection(summary)} ${clausesSection(summary)}
          ${tableSection(openPointTable(summary))} ${historySection(runs)}
        </main>
        <footer class="soft">${facts.map((fact) => html`<p>${fact}</p>`)}</footer>
      </body>
    </html> `;
  return markup;
}

/** What a reader must know or do before reading the verdicts. */
function notice({ kind, title, severity, items }: Section): Markup {
  return titled(kind, title, list(items.map(itemMarkup)), `notice ${severity}`);
}

function itemMarkup({ results, clauses, text, advice, exchange }: SectionItem): Markup {
  const ids = results.map(({ id }) => id);
  const about = ids.length === 0 ? html`` : html`${linksTo(ids, 'check-')}${clauses}: `;
  const request = exchange === undefined ? [] : requestPart('request', exchange);
  return html`<li>${about}${text}${partList([...advice, ...request])}</li> `;
}

/** What failed, with what to do beside the first check of each group; the evidence of the first failure is unfolded. */
function failures({ kind, title, items }: Section): Markup {
  const groups = items.map(({ results, alike = '', advice }, nth) => {
    const rows = results.map((result, i) => checkRow(result, i === 0 ? advice : [], nth === 0 && i === 0));
    return html`<div>${line(alike)}${list(rows, 'rows')}</div>`;
  });
  return titled(kind, title, groups);
}

function checksSection({ checks }: Summary): Markup {
  const others = checks.filter((result) => !isFailing(result));
  const worstFirst = WEIGHTIEST_FIRST.flatMap((verdict) => others.filter((each) => each.verdict === verdict));
  const title = others.length === checks.length ? 'Checks' : 'Other checks';
  const rows = worstFirst.map((result) => checkRow(result));
  return titled('checks', title, list(rows, 'rows'));
}

/** One check. `isOpen`: its evidence is unfolded. */
function checkRow(result: CheckResult, advice: readonly Part[] = [], isOpen = false): Markup {
  const { id, title, verdict, clauses, hint = '', evidence } = result;
  const tried = triedInputs(result);
  const where = clauses.length === 0 ? html`${OWN_SECTION}` : linksTo(clauses);
  return verdictRow(`check-${id}`, verdict, displayVerdict(result), [
    html`<h3>${title}</h3>
      <p class="names"><code>${id}</code> ${where}</p> `,
    line(displayReason(result)),
    line(hint === '' || evidence.length > 0 ? '' : `hint: ${hint}`, 'soft'),
    line(tried === '' ? '' : `tried ${tried} inputs`, 'soft'),
    partList(advice),
    evidenceDetails(result, isOpen),
  ]);
}

/** A verdict, and what it is on. Tests read that it begins with its anchor and its words. */
function verdictRow(anchor: string, verdict: Verdict, words: string, content: readonly Markup[]): Markup {
  return html`<li class="${verdict}" id="${anchor}">
    <span class="verdict">${words}</span>
    <div>${content}</div>
  </li> `;
}

/** Everything behind a failure: the clauses in words, each piece of evidence, and how to check it again. */
function evidenceDetails(result: CheckResult, isOpen: boolean): Markup {
  if (result.evidence.length === 0) return html``;
  const { clauses, evidence, commands } = failureParts(result);
  const count = evidence.length === 1 ? '' : ` (${evidence.length})`;
  const pieces = evidence.map((parts) => html`<div class="evidence">${partList(parts)}</div>`);
  return folded(`Evidence${count}`, [partList([clauses]), ...pieces, partList(commands)], isOpen);
}

/** What a caller did in each scenario. */
function scenariosSection({ scenarios = [] }: Summary): Markup {
  const all = scenarios.map((scenario) => {
    const head = `${scenario.name}: ${counted(scenario.requests.length, 'request')}, ${scenario.end}`;
    return folded(head, partList(scenarioParts(scenario)));
  });
  return all.length === 0 ? html`` : titled('scenarios', 'Scenarios', all);
}

/** Every clause in words, with its verdict and its checks. */
function clausesSection(summary: Summary): Markup {
  const { selected, others } = selectedClauses(summary);
  const left = line(others === 0 ? '' : `${others} others: no selected check covers them.`);
  const content = [list(selected.map(clauseRow), 'rows'), left];
  return titled('clauses', 'Clauses', folded(`${counted(selected.length, 'clause')} in words`, content));
}

/** The linked checks give the reasons for these. */
const EXPLAINED_BY_CHECKS: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'warn', 'observed']);

function clauseRow(clause: ClauseResult): Markup {
  const { id, level, verdict, checks, missing, reason } = clause;
  const unseen = missingLines(clause).map((text) => `not seen: ${text}`);
  const reasons = missing === undefined && !EXPLAINED_BY_CHECKS.has(verdict) ? [reason] : unseen;
  return verdictRow(id, verdict, missing === undefined ? verdict : IN_PART, [
    html`<p><b>${id}</b> ${CLAUSES[id].statement} <span class="soft">(${level})</span></p> `,
    ...reasons.map((text) => line(text)),
    html`<p class="names">${linksTo(checks, 'check-')}</p>`,
  ]);
}

/** How the latest runs of the target ended, and what changed; nothing of a first run. */
function historySection(runs: ReportContext['runs']): Markup {
  const history = historyOf(runs);
  if (history === undefined) return html``;
  const marks = history.marks.map(
    ({ outcome, mark, title }) => html`<abbr class="verdict ${outcome}" title="${title}">${mark}</abbr> `,
  );
  const content = [html`<p>${marks}</p>`, line(history.caption, 'soft')];
  return html`${titled('history', 'History', content)} ${tableSection(history.changes)}`;
}

function tableSection({ title, head, rows }: Table): Markup {
  if (rows.length === 0) return html``;
  const anchor = title.toLowerCase().replaceAll(' ', '-');
  const table = html`<table aria-labelledby="${anchor}">
    <thead>
      <tr>
        ${head.map((name) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ cells }) =>
          html`<tr>
            ${cells.map(cellOf)}
          </tr>`,
      )}
    </tbody>
  </table>`;
  return titled(anchor, title, table);
}

function cellOf(cell: Cell): Markup {
  return html`<td>${typeof cell === 'string' ? cell : html`<code>${cell.said}</code>`}</td>`;
}

function list(rows: readonly Markup[], style = ''): Markup {
  return html`<ul class="${style}">
    ${rows}
  </ul>`;
}

/** Names as links to what has them as its anchor, after a prefix. */
function linksTo(names: readonly string[], prefix = ''): readonly Markup[] {
  return names.map((name) => html`<a href="#${prefix}${name}">${name}</a> `);
}

/** What is shown as it was sent or written, or is pasted into a shell. */
const LITERAL: ReadonlySet<string> = new Set('request answer accepted timeline output curl again'.split(' '));

function partList(parts: readonly Part[]): Markup {
  const rows = parts.map(({ label, lines }) => {
    const shown = LITERAL.has(label)
      ? html`<pre>${lines.flatMap(readable).map((text) => html`${text}<br />`)}</pre>`
      : lines.map((text) => line(text));
    const name = label === '' ? html`` : html`<dt>${label}</dt>`;
    return html`${name}
      <dd>${shown}</dd> `;
  });
  return rows.length === 0 ? html`` : html`<dl>${rows}</dl>`;
}

/** What is nested deep would be mostly indent. */
const MOST_INDENT = 5;

/** JSON without a space in indented lines, each name and value as it was sent; anything else as it is. */
function readable(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    const indented = JSON.stringify(value, undefined, 2);
    const isFaithful = JSON.stringify(value) === text && indented.length < MOST_INDENT * text.length;
    return (isFaithful ? indented : text).split('\n');
  } catch {
    return text.split('\n');
  }
}
