import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';
import type { CheckResult, Evidence, ShownExchange } from '../../model/summary.ts';
import { html, type Markup } from './markup.ts';

/** Each line as its own, whatever line breaks are in it. */
function lines(texts: readonly string[]): Markup {
  return html`<pre>${texts.map((line) => html`${line}<br />`)}</pre>`;
}

function headerLines(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

function bodyLines(body = ''): readonly string[] {
  return body === '' ? [] : ['', body];
}

/** What was sent, as it went over the wire. */
export function requestBlock({ request }: ShownExchange): Markup {
  const { method, path, credential, headers, body } = request;
  return lines([`${method} ${path} (${credential})`, ...headerLines(headers), ...bodyLines(body)]);
}

function answerBlock({ answer, outcome }: ShownExchange): Markup {
  const why = outcome === 'answered' ? [] : [outcome];
  if (answer === undefined) return lines(why);
  return lines([...why, String(answer.status), ...headerLines(answer.headers), ...bodyLines(answer.body)]);
}

function exchangeBlocks(exchange: ShownExchange): Markup {
  return html`<h4>Request</h4>
    ${requestBlock(exchange)}
    <h4>Answer</h4>
    ${answerBlock(exchange)}`;
}

function twin({ control }: Evidence): Markup {
  if (control === undefined) return html``;
  const difference = html`It differs only in <code>${control.difference}</code> from one that was accepted`;
  return html`<details>
    <summary>${difference}</summary>
    ${exchangeBlocks(control.exchange)}
  </details>`;
}

function timelineBlock({ timeline = [] }: Evidence): Markup {
  return timeline.length === 0
    ? html``
    : html`<h4>Timeline</h4>
        ${lines(timeline)}`;
}

function curlBlock({ curl }: Evidence): Markup {
  return curl === ''
    ? html``
    : html`<h4>To send it again</h4>
        ${lines([curl])}`;
}

function findingRows({ finding: { code, path, expected, actual } }: Evidence): Markup {
  const place = path === undefined ? html`` : html` at <code>${path}</code>`;
  return html`<dt>expected</dt>
    <dd>${expected}</dd>
    <dt>came</dt>
    <dd>${actual}</dd>
    <dt>kind</dt>
    <dd><code>${code}</code>${place}</dd>`;
}

function evidenceBlock(evidence: Evidence): Markup {
  return html`<div class="evidence">
    <dl>${findingRows(evidence)}</dl>
    ${exchangeBlocks(evidence.exchange)}${twin(evidence)}${timelineBlock(evidence)}${curlBlock(evidence)}
  </div>`;
}

/** Everything behind a failure, folded: the clauses in words, and each request with its answer and its accepted twin. */
export function evidenceDetails({ clauses, evidence }: CheckResult): Markup {
  if (evidence.length === 0) return html``;
  const stated = clauses.map(
    (id) =>
      html`<dt>${id} (${CLAUSES[id].level})</dt>
        <dd>${CLAUSES[id].statement}</dd>`,
  );
  const count = evidence.length === 1 ? '' : ` (${evidence.length})`;
  return html`<details>
    <summary>Evidence${count}</summary>
    <dl>${stated}</dl>
    ${evidence.map(evidenceBlock)}
  </details>`;
}
