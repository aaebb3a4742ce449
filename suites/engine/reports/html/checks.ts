import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';
import { OWN_SECTION } from '../../model/check.ts';
import type { CheckResult, Evidence, ShownExchange, Summary } from '../../model/summary.ts';
import { displayReason, displayVerdict, triedInputs, verdictCounts, VERDICTS } from '../display-verdict.ts';
import { checkAnchor, html, linksTo, type Markup } from './markup.ts';

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

/** A box for each verdict; when it is not ticked, the style sheet hides its checks. */
function filters(checks: readonly CheckResult[]): Markup {
  const boxes = verdictCounts(checks).map(({ verdict, word, count }) => {
    const input = html`<input type="checkbox" id="show-${verdict}" autocomplete="off" checked />`;
    return html`<label class="${verdict}">${input} ${count} ${word}</label> `;
  });
  return html`<fieldset>
    <legend>Show</legend>
    ${boxes}
  </fieldset>`;
}

/** One check. Tests read that it begins with its anchor and its verdict. */
function item(result: CheckResult, listed: ReadonlySet<string>): Markup {
  const { id, title, verdict, clauses, hint } = result;
  const where = clauses.length === 0 ? html`${OWN_SECTION}` : linksTo(clauses, listed);
  const names = html`<code>${id}</code> ${where}`;
  const [reason, tried] = [displayReason(result), triedInputs(result)];
  return html`<li class="${verdict}" id="${checkAnchor(id)}">
    <span class="verdict">${displayVerdict(result)}</span>
    <div>
      <h3>${title}</h3>
      <p class="names">${names}</p>
      ${reason === '' ? html`` : html`<p>${reason}</p>`}
      ${hint === undefined ? html`` : html`<p class="soft">hint: ${hint}</p>`}
      ${tried === '' ? html`` : html`<p class="soft">tried ${tried} inputs</p>`} ${evidenceDetails(result)}
    </div>
  </li> `;
}

/** Everything behind a failure, folded: the clauses in words, and each request with its answer and its counterpart. */
function evidenceDetails({ clauses, evidence, again }: CheckResult): Markup {
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
    ${evidence.map(evidenceBlock)} ${titled('Check just this again', again === undefined ? [] : [again])}
  </details>`;
}

function evidenceBlock(evidence: Evidence): Markup {
  const { exchange, timeline = [], curl } = evidence;
  return html`<div class="evidence">
    <dl>${findingRows(evidence)}</dl>
    ${exchangeBlocks(exchange)}${counterpart(evidence)}${titled('Timeline', timeline)}${titled(
      'Send this request again',
      curl === '' ? [] : [curl],
    )}
  </div>`;
}

function findingRows({ finding: { code, path, expected, actual } }: Evidence): Markup {
  const place = path === undefined ? html`` : html` at <code>${path}</code>`;
  return html`<dt>expected</dt>
    <dd>${expected}</dd>
    <dt>actual</dt>
    <dd>${actual}</dd>
    <dt>failure</dt>
    <dd><code>${code}</code>${place}</dd>`;
}

function exchangeBlocks(exchange: ShownExchange): Markup {
  return html`<h4>Request</h4>
    ${requestBlock(exchange)}
    <h4>Answer</h4>
    ${answerBlock(exchange)}`;
}

/** The request as sent. */
export function requestBlock({ request }: ShownExchange): Markup {
  const { method, path, credential, headers, body } = request;
  return preformatted([`${method} ${path} (${credential})`, ...headerLines(headers), ...bodyLines(body)]);
}

function answerBlock({ answer, outcome }: ShownExchange): Markup {
  const reason = outcome === 'answered' ? [] : [outcome];
  if (answer === undefined) return preformatted(reason);
  const { status, headers, body } = answer;
  return preformatted([...reason, String(status), ...headerLines(headers), ...bodyLines(body)]);
}

function headerLines(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

function bodyLines(body = ''): readonly string[] {
  return body === '' ? [] : ['', body];
}

function counterpart({ control }: Evidence): Markup {
  if (control === undefined) return html``;
  const difference = html`Differs only in <code>${control.difference}</code> from an accepted request`;
  return html`<details>
    <summary>${difference}</summary>
    ${exchangeBlocks(control.exchange)}
  </details>`;
}

function titled(title: string, lines: readonly string[]): Markup {
  return lines.length === 0
    ? html``
    : html`<h4>${title}</h4>
        ${preformatted(lines)}`;
}

/** A line break after each line: those within a text are escaped. */
export function preformatted(lines: readonly string[]): Markup {
  return html`<pre>${lines.map((line) => html`${line}<br />`)}</pre>`;
}
