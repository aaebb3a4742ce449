import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';
import type { ClauseResult, Summary, Verdict } from '../../model/summary.ts';
import { counted, countText, factLines, IN_PART, missingLines, outcomeNotes } from '../display-verdict.ts';
import { requestOf, scenarioParts } from '../failure-parts.ts';
import { type Section, type SectionItem, sections } from '../sections.ts';
import { type Cell, latencyTable, openPointTable, selectedClauses, type Table } from '../tables.ts';
import { checksSection, failuresSection, messageBlock, partList, tools } from './checks.ts';
import {
  checkAnchor,
  folded,
  html,
  line,
  linksTo,
  type Markup,
  ownElement,
  titled,
  verdictRow,
} from './markup.ts';
import { HTML_SCRIPT, SCRIPT_HASH } from './script.ts';
import { HTML_STYLE } from './style.ts';

/** The text of `report.html`: one file that loads no other, and runs no script but its own. */
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
          content="default-src 'none'; style-src 'unsafe-inline'; script-src '${SCRIPT_HASH}'; base-uri 'none'; form-action 'none'"
        />
        <title>${outcome}, ${countText(summary)}: ${target.baseUrl}</title>
        ${ownElement('style', HTML_STYLE)}
      </head>
      <body>
        <header>
          <h1>Conformance: <span class="${outcome}">${outcome}</span>${number}</h1>
          <p class="soft">${target.baseUrl}</p>
          ${tools(summary)}
        </header>
        <main>
          ${sections(summary).map((section) => drawn(section, summary))} ${checksSection(summary)}
          ${scenariosSection(summary)} ${clausesSection(summary)} ${tableSection(latencyTable(summary))}
          ${tableSection(openPointTable(summary))}
        </main>
        <footer class="soft">${facts.map((fact) => html`<p>${fact}</p>`)}</footer>
        ${ownElement('script', HTML_SCRIPT)}
      </body>
    </html> `;
  return markup;
}

function drawn(section: Section, summary: Summary): Markup {
  return section.kind === 'failures' ? failuresSection(section, summary) : notice(section);
}

/** What a reader must know or do before reading the verdicts. */
function notice({ kind, title, severity, items }: Section): Markup {
  const list = html`<ul>
    ${items.map((item) => html`<li>${itemMarkup(item)}</li> `)}
  </ul>`;
  return titled(kind, title, list, `notice ${severity}`);
}

function itemMarkup({ results, clauses, text, advice, exchange }: SectionItem): Markup {
  const links = results.map(({ id }) => html`<a href="#${checkAnchor(id)}"><code>${id}</code></a> `);
  const about = results.length === 0 ? html`` : html`${links}${clauses}: `;
  const request = exchange === undefined ? html`` : folded('Request', messageBlock(requestOf(exchange)));
  return html`${about}${text}${partList(advice)}${request}`;
}

/** Every clause in words, with its verdict and its checks. */
function clausesSection(summary: Summary): Markup {
  const { selected, others } = selectedClauses(summary);
  const listed = new Set(summary.checks.map(({ id }) => checkAnchor(id)));
  const rows = html`<ul class="rows">
    ${selected.map((clause) => row(clause, listed))}
  </ul>`;
  const left = line(others === 0 ? '' : `${others} others: no check of these was selected.`);
  return titled('clauses', 'Clauses', folded(`${counted(selected.length, 'clause')} in words`, [rows, left]));
}

function row(clause: ClauseResult, listed: ReadonlySet<string>): Markup {
  const { id, level, verdict, checks, missing } = clause;
  const words = missing === undefined ? verdict : IN_PART;
  const content = [
    html`<p><b>${id}</b> ${CLAUSES[id].statement} <span class="soft">(${level})</span></p> `,
    ...reasonLines(clause).map((reason) => line(reason)),
    html`<p class="names">${linksTo(checks, listed, checkAnchor)}</p>`,
  ];
  return verdictRow(id, { verdict, words, clauses: [] }, content);
}

/** The linked checks give the reasons for these. */
const EXPLAINED_BY_CHECKS: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'warn', 'observed']);

function reasonLines(clause: ClauseResult): readonly string[] {
  if (clause.missing !== undefined) return missingLines(clause).map((text) => `without: ${text}`);
  return EXPLAINED_BY_CHECKS.has(clause.verdict) ? [] : [clause.reason];
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
