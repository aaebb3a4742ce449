import { OWN_SECTION } from '../../model/check.ts';
import type { CheckResult, Summary, Verdict } from '../../model/summary.ts';
import { WEIGHTIEST_FIRST } from '../../summary/clause-results.ts';
import { displayReason, displayVerdict, isFailing, triedInputs } from '../display-verdict.ts';
import { failureParts, type Part } from '../failure-parts.ts';
import { folded, html, line, type Markup, titled } from '../markup.ts';
import type { Section } from '../sections.ts';

/** What failed, with what to do beside the first check of each group; the evidence of the first failure is unfolded. */
export function failuresSection({ kind, title, items }: Section): Markup {
  const groups = items.map(({ results, alike = '', advice }, nth) => {
    const rows = results.map((result, i) => checkRow(result, i === 0 ? advice : [], nth === 0 && i === 0));
    return html`<div>${line(alike)}${checkRows(rows)}</div>`;
  });
  return titled(kind, title, groups);
}

/** Every check that is not among the failures, the worst first. */
export function checksSection({ checks }: Summary): Markup {
  const others = checks.filter((result) => !isFailing(result));
  const worstFirst = WEIGHTIEST_FIRST.flatMap((verdict) => others.filter((each) => each.verdict === verdict));
  const title = others.length === checks.length ? 'Checks' : 'Other checks';
  return titled('checks', title, checkRows(worstFirst.map((result) => checkRow(result))));
}

function checkRows(rows: readonly Markup[]): Markup {
  return html`<ul class="rows checks">
    ${rows}
  </ul>`;
}

/** One check. `isOpen`: its evidence is unfolded. */
function checkRow(result: CheckResult, advice: readonly Part[] = [], isOpen = false): Markup {
  const { id, title, verdict, clauses, hint = '', evidence } = result;
  const tried = triedInputs(result);
  const where = clauses.length === 0 ? html`${OWN_SECTION}` : linksTo(clauses);
  return verdictRow(`check-${id}`, verdict, displayVerdict(result), [
    html`<h3>${title}</h3>
      <p class="names"><code>${id}</code> ${where}</p> `,
    line(displayReason(result)),
    line(hint === '' || evidence.length > 0 ? '' : `hint: ${hint}`, 'soft'),
    line(tried === '' ? '' : `tried ${tried} inputs`, 'soft'),
    partList(advice),
    evidenceDetails(result, isOpen),
  ]);
}

/** A verdict, and what it is on. Tests read that it begins with its anchor and its words. */
export function verdictRow(
  anchor: string,
  verdict: Verdict,
  words: string,
  content: readonly Markup[],
): Markup {
  return html`<li class="${verdict}" id="${anchor}">
    <span class="verdict">${words}</span>
    <div>${content}</div>
  </li> `;
}

/** Names as links to what has them as its anchor, after a prefix. */
export function linksTo(names: readonly string[], prefix = ''): readonly Markup[] {
  return names.map((name) => html`<a href="#${prefix}${name}">${name}</a> `);
}

/** Everything behind a failure: the clauses in words, each piece of evidence, and how to check it again. */
function evidenceDetails(result: CheckResult, isOpen: boolean): Markup {
  if (result.evidence.length === 0) return html``;
  const { clauses, evidence, commands } = failureParts(result);
  const count = evidence.length === 1 ? '' : ` (${evidence.length})`;
  const pieces = evidence.map((parts) => html`<div class="evidence">${partList(parts)}</div>`);
  return folded(`Evidence${count}`, [partList([clauses]), ...pieces, partList(commands)], isOpen);
}

/** What is shown as it was sent or written, or is pasted into a shell. */
const LITERAL: ReadonlySet<string> = new Set('request answer accepted timeline output curl again'.split(' '));

/** Parts beside their labels. */
export function partList(parts: readonly Part[]): Markup {
  const rows = parts.map(({ label, lines }) => {
    const shown = LITERAL.has(label)
      ? html`<pre>${lines.flatMap(readable).map((text) => html`${text}<br />`)}</pre>`
      : lines.map((text) => line(text));
    const name = label === '' ? html`` : html`<dt>${label}</dt>`;
    return html`${name}
      <dd>${shown}</dd> `;
  });
  return rows.length === 0 ? html`` : html`<dl>${rows}</dl>`;
}

/** What is nested deep would be mostly indent. */
const MOST_INDENT = 5;

/** JSON without a space in indented lines, each name and value as it was sent; anything else as it is. */
function readable(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    const indented = JSON.stringify(value, undefined, 2);
    const isFaithful = JSON.stringify(value) === text && indented.length < MOST_INDENT * text.length;
    return (isFaithful ? indented : text).split('\n');
  } catch {
    return text.split('\n');
  }
}
