import { OWN_SECTION } from '../../model/check.ts';
import type { CheckResult, Summary } from '../../model/summary.ts';
import { WEIGHTIEST_FIRST } from '../../summary/clause-results.ts';
import { bodyLines, isWithin } from '../../text/body-lines.ts';
import { displayReason, displayVerdict, isFailing, triedInputs, verdictCounts } from '../display-verdict.ts';
import { failureParts, type Message, type Part } from '../failure-parts.ts';
import type { Section, SectionItem } from '../sections.ts';
import { checkAnchor, folded, html, line, linksTo, type Markup, titled, verdictRow } from './markup.ts';

/** What failed, with what to do; the evidence of the first failure is unfolded. */
export function failuresSection({ kind, title, items }: Section, summary: Summary): Markup {
  const groups = items.map((item, i) => group(item, i === 0, summary));
  return titled(kind, title, groups);
}

/** What fails alike: the first check of it says what to do. */
function group({ results, alike = '', advice }: SectionItem, isFirst: boolean, summary: Summary): Markup {
  const rows = results.map((result, i) =>
    i === 0 ? row(result, summary, advice, isFirst) : row(result, summary),
  );
  return html`<div class="alike">
    ${line(alike)}
    <ul class="rows checks">
      ${rows}
    </ul>
  </div>`;
}

/** Every check that is not among the failures, the worst first. */
export function checksSection(summary: Summary): Markup {
  const others = summary.checks.filter((result) => !isFailing(result));
  const worstFirst = WEIGHTIEST_FIRST.flatMap((verdict) => others.filter((each) => each.verdict === verdict));
  const rows = html`<ul class="rows checks">
    ${worstFirst.map((result) => row(result, summary))}
  </ul>`;
  return titled('checks', others.length === summary.checks.length ? 'Checks' : 'Other checks', rows);
}

/** A box for each verdict, without which the style sheet hides its checks; and what takes the script. */
export function tools({ checks }: Summary): Markup {
  const boxes = verdictCounts(checks).map(({ verdict, word, count }) => {
    const input = html`<input type="checkbox" id="show-${verdict}" autocomplete="off" checked />`;
    return html`<label class="${verdict}">${input} ${count} ${word}</label> `;
  });
  const clauses = [...new Set(checks.flatMap((each) => each.clauses))].toSorted();
  return html`<div class="tools">
    <fieldset>
      <legend>Show</legend>
      ${boxes}
    </fieldset>
    <div role="search" hidden>
      <input
        type="search"
        id="search"
        placeholder="Search checks"
        aria-label="Search checks"
        autocomplete="off"
      />
      <select id="clause" aria-label="Clause" autocomplete="off">
        <option value="">All clauses</option>
        ${clauses.map((id) => html`<option>${id}</option>`)}
      </select>
      <button type="button" id="expand">Expand all</button>
      <output id="shown"></output>
    </div>
  </div>`;
}

/** One check. `isOpen`: its evidence is unfolded. */
function row(result: CheckResult, summary: Summary, advice: readonly Part[] = [], isOpen = false): Markup {
  const { id, title, verdict, clauses, hint = '', evidence } = result;
  const listed = new Set<string>(summary.clauses.map((clause) => clause.id));
  const where = clauses.length === 0 ? html`${OWN_SECTION}` : linksTo(clauses, listed);
  const tried = triedInputs(result);
  const content = [
    html`<h3>${title}</h3>
      <p class="names"><code>${id}</code> ${where}</p> `,
    line(displayReason(result)),
    line(hint === '' || evidence.length > 0 ? '' : `hint: ${hint}`, 'soft'),
    line(tried === '' ? '' : `tried ${tried} inputs`, 'soft'),
    partList(advice),
    evidenceDetails(result, isOpen),
  ];
  return verdictRow(checkAnchor(id), { verdict, words: displayVerdict(result), clauses }, content);
}

/** Everything behind a failure: the clauses in words, each piece of evidence, and how to check it again. */
function evidenceDetails(result: CheckResult, isOpen: boolean): Markup {
  if (result.evidence.length === 0) return html``;
  const { clauses, evidence, commands } = failureParts(result);
  const count = evidence.length === 1 ? '' : ` (${evidence.length})`;
  const pieces = evidence.map((parts) => html`<div class="evidence">${partList(parts)}</div>`);
  return folded(`Evidence${count}`, [partList([clauses]), ...pieces, partList(commands)], isOpen);
}

/** Parts beside their labels. */
export function partList(parts: readonly Part[]): Markup {
  return parts.length === 0 ? html`` : html`<dl>${parts.map(labelled)}</dl>`;
}

function labelled(part: Part): Markup {
  const shown = part.message === undefined ? linesBlock(part) : messageBlock(part.message);
  return part.label === ''
    ? html`<dd>${shown}</dd>`
    : html`<dt>${part.label}</dt>
        <dd>${shown}</dd>`;
}

/** What a reader pastes into a shell. */
const COMMANDS: ReadonlySet<string> = new Set(['curl', 'again']);

const LISTINGS: ReadonlySet<string> = new Set(['timeline', 'output']);

function linesBlock({ label, lines }: Part): Markup {
  if (LISTINGS.has(label)) return preformatted(lines.map(markupOf));
  if (!COMMANDS.has(label)) return html`${lines.map((text) => html`<p>${text}</p>`)}`;
  const button = html`<button type="button" class="copy" hidden>Copy</button>`;
  return html`<div class="command">${preformatted(lines.map(markupOf))}${button}</div>`;
}

/** A request or an answer; in JSON, the one place that matters is marked. */
export function messageBlock({ start, headers, body, place }: Message): Markup {
  const lines = [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const below = bodyLines(body).map((each) => {
    const text = isWithin(each, place) ? html`<mark>${each.text}</mark>` : html`${each.text}`;
    return html`${each.indent}${text}`;
  });
  return preformatted([...lines.map(markupOf), ...(body === '' ? [] : [html``, ...below])]);
}

const markupOf = (text: string): Markup => html`${text}`;

/** A line break after each line: those within a text are escaped. */
function preformatted(lines: readonly Markup[]): Markup {
  return html`<pre>${lines.map((each) => html`${each}<br />`)}</pre>`;
}
