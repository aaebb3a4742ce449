import type { Summary, UncertainRequest } from '../../model/summary.ts';
import { requestBlock } from './evidence.ts';
import { html, type Markup } from './markup.ts';

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
