import type { Summary } from '../../model/summary.ts';
import { countText, factLines, outcomeNotes } from '../display-verdict.ts';
import { requestOf } from '../failure-parts.ts';
import { type Section, type SectionItem, sections } from '../sections.ts';
import { latencyTable, openPointTable } from '../tables.ts';
import { checksSection, failuresSection, tools } from './checks.ts';
import { clausesSection, scenariosSection, tableSection } from './clauses.ts';
import { checkAnchor, folded, html, type Markup, ownElement, titled } from './markup.ts';
import { messageBlock, partList } from './parts.ts';
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
        <footer class="soft">${facts.map((line) => html`<p>${line}</p>`)}</footer>
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
