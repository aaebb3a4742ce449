import type { Summary, UncertainRequest } from '../../model/summary.ts';
import { inputsLines, isFailing, spentText, verdictCounts } from '../display-verdict.ts';
import { adviceOn, failureGroups, type FailureGroup } from '../failure-groups.ts';
import { incompleteReasons, firstAnswerLines } from '../incomplete.ts';
import { outcomeNotes, outcomeText } from '../outcome-text.ts';
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
    <h1>Conformance: <span class="${outcome}">${outcome}</span>${outcomeNotes(summary)}</h1>
    ${facts(summary)} ${bar(summary)} ${contents(summary)}
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
  const { baseline, failedOn = [], uncertain, warnings, notBegun } = summary;
  const cutShort = notBegun === undefined ? [...summary.cutShort, ...incompleteReasons(summary)] : [];
  const problems = baseline?.problems ?? [];
  return [
    notice(
      'not-begun',
      'The run could not begin',
      (notBegun === undefined ? [] : [notBegun.reason, ...firstAnswerLines(notBegun)]).map(asText),
    ),
    notice('groups', 'What failed, and what to change', failureGroups(summary, isFailing).map(groupItem)),
    notice('baseline', 'The baseline is out of date', problems.map(asText)),
    notice('failed-on', 'What --fail-on names', failedOn.map(asText)),
    notice('workspace', 'Check these in the workspace', uncertain.map(uncertainRequest)),
    notice('cut-short', 'Cut short', cutShort.map(asText)),
    notice('limits', 'Limits of this run', warnings.map(asText)),
  ];
}

/** Checks that failed alike, with what usually mends them. */
function groupItem({ results, clauses, ...advice }: FailureGroup): Markup {
  const links = results.map(({ id }) => html`<a href="#${checkAnchor(id)}"><code>${id}</code></a> `);
  const lines = adviceOn(advice).map(([label, text]) => html`<p class="soft">${label}: ${text}</p>`);
  return html`${links}${clauses.join(' ')}: ${results[0].reason}${lines}`;
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
