import type { ShownExchange, Summary } from '../../model/summary.ts';
import { inputsLines, spentText, outcomeNotes, outcomeText } from '../display-verdict.ts';
import { type Item, type Section, sections } from '../sections.ts';
import { checksSection, requestBlock } from './checks.ts';
import { clausesSection, openPointsSection } from './clauses.ts';
import { checkAnchor, html, type Markup, styleElement } from './markup.ts';
import { scenariosSection } from './scenarios.ts';
import { HTML_STYLE } from './style.ts';

/** The text of `report.html`: one file that loads no other, and runs no script. */
export function htmlReport(summary: Summary): string {
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
        <title>${outcomeText(summary)}: ${summary.target.baseUrl}</title>
        ${styleElement(HTML_STYLE)}
      </head>
      <body>
        ${pageHead(summary)}
        <main>
          ${sections(summary).map(notice)} ${checksSection(summary)} ${scenariosSection(summary)}
          ${clausesSection(summary)} ${openPointsSection(summary)}
        </main>
      </body>
    </html> `;
  return markup;
}

/** What was run, its outcome, and the contents of the page. */
function pageHead(summary: Summary): Markup {
  const { outcome } = summary;
  return html`<header>
    <h1>Conformance: <span class="${outcome}">${outcome}</span>${outcomeNotes(summary)}</h1>
    ${facts(summary)} ${contents(summary)}
  </header>`;
}

function facts(summary: Summary): Markup {
  const { target, seed, startedAt } = summary;
  const [verb, what] = spentText(summary);
  const profile = target.profile === null ? '' : `, profile ${target.profile}`;
  return html`<dl class="facts">
    ${fact('Target', html`<code>${target.baseUrl}</code> (${target.kind}${profile})`)}
    ${fact('Started', html`<time>${startedAt}</time>`)}
    ${target.passing === true ? html`` : fact('Seed', html`${seed}`)} ${fact(verb, html`${what}`)}
    ${inputsLines(summary).map((line) => fact('Inputs', html`${line}`))}
  </dl>`;
}

function fact(name: string, value: Markup): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function contents({ checks, clauses, open }: Summary): Markup {
  const entries = [
    entry('checks', checks.length, 'check'),
    entry('clauses', clauses.length, 'clause'),
    ...(open.length === 0 ? [] : [entry('open-points', open.length, 'open point')]),
  ];
  return html`<nav aria-label="Contents">
    <ul>
      ${entries}
    </ul>
  </nav>`;
}

function entry(anchor: string, count: number, word: string): Markup {
  return html`<li><a href="#${anchor}">${count} ${count === 1 ? word : `${word}s`}</a></li> `;
}

/** What a reader must know or do before reading the verdicts. */
function notice({ kind, title, severity, items }: Section): Markup {
  return html`<section class="notice ${severity}" aria-labelledby="${kind}">
    <h2 id="${kind}">${title}</h2>
    <ul>
      ${items.map((item) => html`<li>${itemMarkup(item)}</li>`)}
    </ul>
  </section> `;
}

function itemMarkup({ results, clauses, text, advice, exchange }: Item): Markup {
  const links = results.map(({ id }) => html`<a href="#${checkAnchor(id)}"><code>${id}</code></a> `);
  const about = results.length === 0 ? html`` : html`${links}${clauses}: `;
  const lines = advice.map(([label, line]) => html`<p class="soft">${label}: ${line}</p>`);
  return html`${about}${text}${lines}${exchange === undefined ? html`` : requestDetails(exchange)}`;
}

function requestDetails(exchange: ShownExchange): Markup {
  return html`<details>
    <summary>Request</summary>
    ${requestBlock(exchange)}
  </details>`;
}
