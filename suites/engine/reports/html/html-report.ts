import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';
import type { ClauseResult, Summary, Verdict } from '../../model/summary.ts';
import {
  counted,
  countText,
  factLines,
  IN_PART,
  missingLines,
  outcomeNotes,
  verdictCounts,
} from '../display-verdict.ts';
import { requestPart, scenarioParts } from '../failure-parts.ts';
import { folded, html, line, type Markup, ownStyle, titled } from '../markup.ts';
import { type Section, type SectionItem, sections } from '../sections.ts';
import { type Cell, latencyTable, openPointTable, selectedClauses, type Table } from '../tables.ts';
import { checksSection, failuresSection, linksTo, partList, verdictRow } from './checks.ts';
import { HTML_STYLE } from './style.ts';

/** The text of `report.html`: one file that loads no other, and runs no script. */
export function htmlReport(summary: Summary): string {
  const { outcome, target, startedAt } = summary;
  const facts = [`started ${startedAt}`, ...factLines(summary)];
  const number = `, ${countText(summary)}${outcomeNotes(summary)}`;
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
          <h1>Conformance: <span class="${outcome}">${outcome}</span>${number}</h1>
          <p class="soft">${target.baseUrl}</p>
          ${verdictBoxes(summary)}
        </header>
        <main>
          ${sections(summary).map((each) => (each.kind === 'failures' ? failuresSection(each) : notice(each)))}
          ${checksSection(summary)} ${scenariosSection(summary)} ${clausesSection(summary)}
          ${[latencyTable, openPointTable].map((make) => tableSection(make(summary)))}
        </main>
        <footer class="soft">${facts.map((fact) => html`<p>${fact}</p>`)}</footer>
      </body>
    </html> `;
  return markup;
}

/** A box for each verdict, without which the style sheet hides its checks. */
function verdictBoxes({ checks }: Summary): Markup {
  const boxes = verdictCounts(checks).map(({ verdict, word, count }) => {
    const input = html`<input type="checkbox" id="show-${verdict}" autocomplete="off" checked />`;
    return html`<label class="${verdict}">${input} ${count} ${word}</label> `;
  });
  return html`<fieldset>
    <legend>Show</legend>
    ${boxes}
  </fieldset>`;
}

/** What a reader must know or do before reading the verdicts. */
function notice({ kind, title, severity, items }: Section): Markup {
  const list = html`<ul>
    ${items.map((item) => html`<li>${itemMarkup(item)}</li> `)}
  </ul>`;
  return titled(kind, title, list, `notice ${severity}`);
}

function itemMarkup({ results, clauses, text, advice, exchange }: SectionItem): Markup {
  const ids = results.map(({ id }) => id);
  const about = ids.length === 0 ? html`` : html`${linksTo(ids, 'check-')}${clauses}: `;
  const request = exchange === undefined ? [] : requestPart('request', exchange);
  return html`${about}${text}${partList([...advice, ...request])}`;
}

/** Every clause in words, with its verdict and its checks. */
function clausesSection(summary: Summary): Markup {
  const { selected, others } = selectedClauses(summary);
  const rows = html`<ul class="rows">
    ${selected.map(clauseRow)}
  </ul>`;
  const left = line(others === 0 ? '' : `${others} others: no check of these was selected.`);
  return titled('clauses', 'Clauses', folded(`${counted(selected.length, 'clause')} in words`, [rows, left]));
}

/** The linked checks give the reasons for these. */
const EXPLAINED_BY_CHECKS: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'warn', 'observed']);

function clauseRow(clause: ClauseResult): Markup {
  const { id, level, verdict, checks, missing, reason } = clause;
  const unseen = missingLines(clause).map((text) => `without: ${text}`);
  const reasons = missing === undefined && !EXPLAINED_BY_CHECKS.has(verdict) ? [reason] : unseen;
  return verdictRow(id, verdict, missing === undefined ? verdict : IN_PART, [
    html`<p><b>${id}</b> ${CLAUSES[id].statement} <span class="soft">(${level})</span></p> `,
    ...reasons.map((text) => line(text)),
    html`<p class="names">${linksTo(checks, 'check-')}</p>`,
  ]);
}

/** A table with its title; nothing without rows. */
function tableSection({ title, head, rows }: Table): Markup {
  if (rows.length === 0) return html``;
  const anchor = title.toLowerCase().replaceAll(' ', '-');
  const bodyRows = rows.map(
    ({ cells }) =>
      html`<tr>
        ${cells.map(tableCell)}
      </tr> `,
  );
  const table = html`<table aria-labelledby="${anchor}">
    <thead>
      <tr>
        ${head.map((name) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${bodyRows}
    </tbody>
  </table>`;
  return titled(anchor, title, table);
}

function tableCell(cell: Cell): Markup {
  return html`<td>${typeof cell === 'string' ? cell : html`<code>${cell.said}</code>`}</td>`;
}

/** What a caller did in each scenario. */
function scenariosSection({ scenarios = [] }: Pick<Summary, 'scenarios'>): Markup {
  const all = scenarios.map((scenario) => {
    const head = `${scenario.name}: ${counted(scenario.requests.length, 'request')}, ${scenario.end}`;
    return folded(head, partList(scenarioParts(scenario)));
  });
  return all.length === 0 ? html`` : titled('scenarios', 'Scenarios', all);
}
