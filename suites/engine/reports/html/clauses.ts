import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';
import type { ClauseResult, ScenarioResult, Summary, Verdict } from '../../model/summary.ts';
import { counted, IN_PART, missingLines } from '../display-verdict.ts';
import { scenarioParts } from '../failure-parts.ts';
import { type Cell, selectedClauses, type Table } from '../sections.ts';
import { checkAnchor, html, linksTo, type Markup } from './markup.ts';
import { partList } from './parts.ts';

/** Every clause in words, with its verdict and its checks. */
export function clausesSection(summary: Summary): Markup {
  const { selected, others } = selectedClauses(summary);
  const listed = new Set(summary.checks.map(({ id }) => checkAnchor(id)));
  const left = others === 0 ? html`` : html`<p>${others} others: no check of these was selected.</p>`;
  return html`<section aria-labelledby="clauses">
    <h2 id="clauses">Clauses</h2>
    <details>
      <summary>${counted(selected.length, 'clause')} in words</summary>
      <ul class="rows">
        ${selected.map((clause) => item(clause, listed))}
      </ul>
      ${left}
    </details>
  </section>`;
}

function item(clause: ClauseResult, listed: ReadonlySet<string>): Markup {
  const { id, level, verdict, checks, missing } = clause;
  return html`<li class="${verdict}" id="${id}">
    <span class="verdict">${missing === undefined ? verdict : IN_PART}</span>
    <div>
      <p><b>${id}</b> ${CLAUSES[id].statement} <span class="soft">(${level})</span></p>
      ${reasonLines(clause).map((line) => html`<p>${line}</p>`)}
      <p class="names">${linksTo(checks, listed, checkAnchor)}</p>
    </div>
  </li> `;
}

/** The linked checks give the reasons for these. */
const EXPLAINED_BY_CHECKS: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'warn', 'observed']);

function reasonLines(clause: ClauseResult): readonly string[] {
  const { verdict, reason } = clause;
  if (clause.missing !== undefined) return missingLines(clause).map((line) => `without: ${line}`);
  return reason === '' || EXPLAINED_BY_CHECKS.has(verdict) ? [] : [reason];
}

/** A table with its title; nothing without rows. */
export function tableSection({ title, head, rows }: Table): Markup {
  if (rows.length === 0) return html``;
  const anchor = title.toLowerCase().replaceAll(' ', '-');
  return html`<section aria-labelledby="${anchor}">
    <h2 id="${anchor}">${title}</h2>
    <table aria-labelledby="${anchor}">
      <thead>
        <tr>
          ${head.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ cells }) =>
            html`<tr>
              ${cells.map(tableCell)}
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function tableCell(cell: Cell): Markup {
  return html`<td>${typeof cell === 'string' ? cell : html`<code>${cell.said}</code>`}</td>`;
}

/** What a caller did in each scenario. */
export function scenariosSection({ scenarios = [] }: Pick<Summary, 'scenarios'>): Markup {
  if (scenarios.length === 0) return html``;
  return html`<section aria-labelledby="scenarios">
    <h2 id="scenarios">Scenarios</h2>
    ${scenarios.map(scenarioDetails)}
  </section>`;
}

function scenarioDetails(scenario: ScenarioResult): Markup {
  const { name, end, requests } = scenario;
  return html`<details>
    <summary>${name}: ${counted(requests.length, 'request')}, ${end}</summary>
    ${partList(scenarioParts(scenario))}
  </details>`;
}
