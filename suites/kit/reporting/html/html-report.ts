import type { LikelyCause, Summary, UncertainRequest } from '../../model/summary.ts';
import { causeShown, causeTitle } from '../causes.ts';
import { inputsLines, spentText, verdictCounts } from '../display-verdict.ts';
import { incompleteReasons, firstAnswerLines } from '../incomplete.ts';
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
        <title>${summary.outcome}: ${summary.target.baseUrl}</title>
        ${styleElement(HTML_STYLE)}
      </head>
      <body>
        ${pageHead(summary)}
        <main>
          ${notices(summary)} ${checksSection(summary)} ${scenariosSection(summary)}
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
    <h1>Conformance: <span class="${outcome}">${outcome}</span></h1>
    ${besideBaseline(summary)}${facts(summary)} ${bar(summary)} ${contents(summary)}
  </header>`;
}

function besideBaseline({ outcome, baseline }: Summary): Markup {
  if (baseline === undefined || baseline.outcome === outcome) return html``;
  return html`<p>Apart from known failures: <b class="${baseline.outcome}">${baseline.outcome}</b></p>`;
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

/** The share of each verdict among the checks; for the eye only, since the filters name the counts. */
function bar({ checks }: Summary): Markup {
  const parts = verdictCounts(checks).map(
    ({ verdict, count }) => html`<span class="${verdict}" style="flex-grow: ${count}"></span>`,
  );
  return html`<div class="bar" aria-hidden="true">${parts}</div>`;
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
function notices(summary: Summary): readonly Markup[] {
  const { baseline, uncertain, warnings, notBegun, causes = [] } = summary;
  const cutShort = notBegun === undefined ? [...summary.cutShort, ...incompleteReasons(summary)] : [];
  const problems = baseline?.problems ?? [];
  return [
    notice(
      'not-begun',
      'The run could not begin',
      (notBegun === undefined ? [] : [notBegun.reason, ...firstAnswerLines(notBegun)]).map(asText),
    ),
    notice('causes', 'Likely causes', causes.map(likelyCause)),
    notice('baseline', 'The baseline is out of date', problems.map(asText)),
    notice('workspace', 'Check these in the workspace', uncertain.map(uncertainRequest)),
    notice('cut-short', 'Cut short', cutShort.map(asText)),
    notice('limits', 'Limits of this run', warnings.map(asText)),
  ];
}

/** A cause, with links to the failures that it explains. */
function likelyCause(cause: LikelyCause): Markup {
  const links = cause.checks.map((id) => html`<a href="#${checkAnchor(id)}"><code>${id}</code></a> `);
  return html`${causeTitle(cause)}
    <p>explains ${links}</p>
    <p class="soft">see it: <code>${causeShown(cause)}</code></p>`;
}

function asText(text: string): Markup {
  return html`${text}`;
}

function notice(anchor: string, title: string, items: readonly Markup[]): Markup {
  if (items.length === 0) return html``;
  return html`<section class="notice" aria-labelledby="${anchor}">
    <h2 id="${anchor}">${title}</h2>
    <ul>
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>
  </section> `;
}

/** A request of unknown outcome, with what finds it in the workspace (ERR-8, CALL-2). */
function uncertainRequest({ id, idempotencyKey, reason, exchange }: UncertainRequest): Markup {
  const key =
    idempotencyKey === undefined
      ? html`sent without an Idempotency-Key (<code>${id}</code>)`
      : html`Idempotency-Key <code>${idempotencyKey}</code>`;
  return html`${key}: ${reason}
    <details>
      <summary>Request</summary>
      ${requestBlock(exchange)}
    </details>`;
}
