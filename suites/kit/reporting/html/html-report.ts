import type { Summary, UncertainRequest } from '../../model/summary.ts';
import { checksSection, requestBlock } from './checks.ts';
import { clausesSection, openPointsSection } from './clauses.ts';
import { HTML_STYLE } from './style.ts';
import { html, styleElement, type Markup } from './markup.ts';
import { inputLines, VERDICTS } from '../display-verdict.ts';

/** The text of `report.html`: one file that needs no other, and runs no script. */
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
          ${notices(summary)} ${checksSection(summary)} ${clausesSection(summary)}
          ${openPointsSection(summary)}
        </main>
      </body>
    </html> `;
  return markup;
}

/** How many checks came to each verdict, to the eye; the boxes that filter them say it in words. */
function bar({ checks }: Summary): Markup {
  const parts = VERDICTS.flatMap((verdict) => {
    const count = checks.filter((each) => each.verdict === verdict).length;
    return count === 0 ? [] : [html`<span class="${verdict}" style="flex-grow: ${count}"></span>`];
  });
  return html`<div class="bar" aria-hidden="true">${parts}</div>`;
}

function beside({ outcome, baseline }: Summary): Markup {
  if (baseline === undefined || baseline.outcome === outcome) return html``;
  return html`<p>
    Beside the failures that the baseline lists: <b class="${baseline.outcome}">${baseline.outcome}</b>
  </p>`;
}

function inputs(summary: Summary): readonly Markup[] {
  return inputLines(summary).map(
    (line) =>
      html`<div>
        <dt>Inputs</dt>
        <dd>${line}</dd>
      </div>`,
  );
}

function facts(summary: Summary): Markup {
  const { target, seed, spent, startedAt, durationMs } = summary;
  const { requests, completions, outputTokens } = spent;
  const profile = target.profile === null ? '' : `, profile ${target.profile}`;
  const seconds = (durationMs / 1000).toFixed(1);
  return html`<dl class="facts">
    <div>
      <dt>Target</dt>
      <dd><code>${target.baseUrl}</code> (${target.kind}${profile})</dd>
    </div>
    <div>
      <dt>Begun</dt>
      <dd><time>${startedAt}</time></dd>
    </div>
    <div>
      <dt>Seed</dt>
      <dd>${seed}</dd>
    </div>
    <div>
      <dt>Spent</dt>
      <dd>${requests} requests, ${completions} completions, ${outputTokens} output tokens in ${seconds} s</dd>
    </div>
    ${inputs(summary)}
  </dl>`;
}

function entry(anchor: string, count: number, word: string): Markup {
  return html`<li><a href="#${anchor}">${count} ${count === 1 ? word : `${word}s`}</a></li> `;
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

/** What was run, what it amounts to, and where to go on. */
export function pageHead(summary: Summary): Markup {
  const { outcome } = summary;
  return html`<header>
    <h1>Conformance: <span class="${outcome}">${outcome}</span></h1>
    ${beside(summary)}${facts(summary)} ${bar(summary)} ${contents(summary)}
  </header>`;
}

/** A part of the page that is there only when there is something to say. */
function notice(anchor: string, title: string, items: readonly Markup[]): Markup {
  if (items.length === 0) return html``;
  return html`<section class="notice" aria-labelledby="${anchor}">
    <h2 id="${anchor}">${title}</h2>
    <ul>
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>
  </section> `;
}

const asText = (text: string): Markup => html`${text}`;

/** A request nobody knows the outcome of, with what finds it in the workspace (ERR-8, CALL-2). */
function uncertainRequest({ id, idempotencyKey, reason, exchange }: UncertainRequest): Markup {
  const found =
    idempotencyKey === undefined
      ? html`sent without an Idempotency-Key (<code>${id}</code>)`
      : html`Idempotency-Key <code>${idempotencyKey}</code>`;
  return html`${found}: ${reason}
    <details>
      <summary>Request</summary>
      ${requestBlock(exchange)}
    </details>`;
}

/** What a reader has to know or to do before the verdicts. */
export function notices({ baseline, uncertain, cutShort, warnings }: Summary): readonly Markup[] {
  const problems = baseline?.problems ?? [];
  return [
    notice('baseline', 'The baseline is out of date', problems.map(asText)),
    notice('workspace', 'Check these in the workspace', uncertain.map(uncertainRequest)),
    notice('cut-short', 'Cut short', cutShort.map(asText)),
    notice('says-less', 'This run says less than it might', warnings.map(asText)),
  ];
}
