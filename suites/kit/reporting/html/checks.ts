import type { CheckResult, Summary, Evidence, ShownExchange } from '../../model/summary.ts';
import type { Verdict } from '../../model/verdict.ts';
import { checkAnchor, linksTo, html, type Markup } from './markup.ts';
import { triedOf, VERDICTS, VERDICT_WORDS, reasonOf, displayVerdict } from '../display-verdict.ts';
import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';

function paragraph(text: string): Markup {
  return text === '' ? html`` : html`<p>${text}</p>`;
}

function hintLine({ hint }: CheckResult): Markup {
  return hint === undefined ? html`` : html`<p class="soft">hint: ${hint}</p>`;
}

function inputsLine(result: CheckResult): Markup {
  const tried = triedOf(result);
  return tried === '' ? html`` : html`<p class="soft">tried ${tried} inputs</p>`;
}

/** One check; that it begins with its anchor and its standing is what tests read. */
function item(result: CheckResult, listed: ReadonlySet<string>): Markup {
  const { id, title, verdict, clauses } = result;
  const names = html`<code>${id}</code> ${linksTo(clauses, listed)}`;
  return html`<li class="${verdict}" id="${checkAnchor(id)}">
    <span class="standing">${displayVerdict(result)}</span>
    <div>
      <h3>${title}</h3>
      <p class="names">${names}</p>
      ${paragraph(reasonOf(result))}${hintLine(result)}${inputsLine(result)}${evidenceDetails(result)}
    </div>
  </li> `;
}

function box(verdict: Verdict, count: number): Markup {
  const input = html`<input type="checkbox" id="show-${verdict}" autocomplete="off" checked />`;
  return html`<label class="${verdict}">${input} ${count} ${VERDICT_WORDS[verdict].word}</label> `;
}

/** A box for each verdict that is there; unticked, its checks are hidden by the style alone. */
function filters(checks: readonly CheckResult[]): Markup {
  const boxes = VERDICTS.flatMap((verdict) => {
    const count = checks.filter((each) => each.verdict === verdict).length;
    return count === 0 ? [] : [box(verdict, count)];
  });
  return html`<fieldset>
    <legend>Show</legend>
    ${boxes}
  </fieldset>`;
}

/** Every check, the worst first. */
export function checksSection({ checks, clauses }: Summary): Markup {
  const listed = new Set<string>(clauses.map(({ id }) => id));
  const worstFirst = VERDICTS.flatMap((verdict) => checks.filter((each) => each.verdict === verdict));
  return html`<section aria-labelledby="checks">
    <h2 id="checks">Checks</h2>
    ${filters(checks)}
    <ul class="rows checks">
      ${worstFirst.map((result) => item(result, listed))}
    </ul>
  </section>`;
}

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

function counterpart({ control }: Evidence): Markup {
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
    ${exchangeBlocks(evidence.exchange)}${counterpart(evidence)}${timelineBlock(evidence)}${curlBlock(evidence)}
  </div>`;
}

/** Everything behind a failure, folded: the clauses in words, and each request with its answer and its counterpart. */
function evidenceDetails({ clauses, evidence }: CheckResult): Markup {
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
