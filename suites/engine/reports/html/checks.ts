import { OWN_SECTION } from '../../model/check.ts';
import type { CheckResult, Summary } from '../../model/summary.ts';
import {
  displayReason,
  displayVerdict,
  isFailing,
  triedInputs,
  verdictCounts,
  VERDICTS,
} from '../display-verdict.ts';
import { failureParts, type Labelled } from '../failure-parts.ts';
import type { SectionItem, Section } from '../sections.ts';
import { checkAnchor, html, linksTo, type Markup } from './markup.ts';
import { partList } from './parts.ts';

/** What failed, with what to do; the evidence of the first failure is unfolded. */
export function failuresSection({ kind, title, items }: Section, summary: Summary): Markup {
  return html`<section aria-labelledby="${kind}">
    <h2 id="${kind}">${title}</h2>
    ${items.map((item, i) => group(item, i === 0, summary))}
  </section>`;
}

/** What fails alike: the first check of it says what to do. */
function group({ results, clauses, advice }: SectionItem, isFirst: boolean, summary: Summary): Markup {
  const head = html`<p>${results.length} checks fail alike (${clauses}):</p>`;
  const rows = results.map((result, i) =>
    row(result, summary, { advice: i === 0 ? advice : [], isOpen: isFirst && i === 0 }),
  );
  return html`<div class="alike">
    ${results.length === 1 ? html`` : head}
    <ul class="rows checks">
      ${rows}
    </ul>
  </div>`;
}

/** Every check that is not among the failures, the worst first. */
export function checksSection(summary: Summary): Markup {
  const others = summary.checks.filter((result) => !isFailing(result));
  const worstFirst = VERDICTS.flatMap((verdict) => others.filter((each) => each.verdict === verdict));
  return html`<section aria-labelledby="checks">
    <h2 id="checks">${others.length === summary.checks.length ? 'Checks' : 'Other checks'}</h2>
    <ul class="rows checks">
      ${worstFirst.map((result) => row(result, summary))}
    </ul>
  </section>`;
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

interface RowOptions {
  readonly advice?: readonly Labelled[];
  /** Whether its evidence is unfolded. */
  readonly isOpen?: boolean;
}

/** One check. Tests read that it begins with its anchor and its verdict. */
function row(
  result: CheckResult,
  summary: Summary,
  { advice = [], isOpen = false }: RowOptions = {},
): Markup {
  const { id, title, verdict, clauses, hint } = result;
  const listed = new Set<string>(summary.clauses.map((clause) => clause.id));
  const where = clauses.length === 0 ? html`${OWN_SECTION}` : linksTo(clauses, listed);
  const [reason, tried] = [displayReason(result), triedInputs(result)];
  return html`<li class="${verdict}" id="${checkAnchor(id)}" data-clauses="${clauses.join(' ')}">
    <span class="verdict">${displayVerdict(result)}</span>
    <div>
      <h3>${title}</h3>
      <p class="names"><code>${id}</code> ${where}</p>
      ${reason === '' ? html`` : html`<p>${reason}</p>`}
      ${hint === undefined || result.evidence.length > 0 ? html`` : html`<p class="soft">hint: ${hint}</p>`}
      ${tried === '' ? html`` : html`<p class="soft">tried ${tried} inputs</p>`} ${partList(advice)}
      ${evidenceDetails(result, isOpen)}
    </div>
  </li> `;
}

/** Everything behind a failure: the clauses in words, each piece of evidence, and how to check it again. */
function evidenceDetails(result: CheckResult, isOpen: boolean): Markup {
  if (result.evidence.length === 0) return html``;
  const { clauses, evidence, commands } = failureParts(result, result.again);
  const count = evidence.length === 1 ? '' : ` (${evidence.length})`;
  return html`<details ${isOpen ? html`open` : html``}>
    <summary>Evidence${count}</summary>
    ${partList([clauses])} ${evidence.map((parts) => html`<div class="evidence">${partList(parts)}</div>`)}
    ${partList(commands)}
  </details>`;
}
