import { CLAUSES } from '../../../../fixtures/clauses/clauses.ts';
import type { ClauseResult, Summary, Verdict } from '../../model/summary.ts';
import { counted, IN_PART, missingLines } from '../display-verdict.ts';
import { scenarioParts } from '../failure-parts.ts';
import { type Cell, selectedClauses, type Table } from '../tables.ts';
import { checkAnchor, folded, html, line, linksTo, type Markup, titled, verdictRow } from './markup.ts';
import { partList } from './parts.ts';

/** Every clause in words, with its verdict and its checks. */
export function clausesSection(summary: Summary): Markup {
  const { selected, others } = selectedClauses(summary);
  const listed = new Set(summary.checks.map(({ id }) => checkAnchor(id)));
  const rows = html`<ul class="rows">
    ${selected.map((clause) => row(clause, listed))}
  </ul>`;
  const left = line(others === 0 ? '' : `${others} others: no check of these was selected.`);
  return titled('clauses', 'Clauses', folded(`${counted(selected.length, 'clause')} in words`, [rows, left]));
}

function row(clause: ClauseResult, listed: ReadonlySet<string>): Markup {
  const { id, level, verdict, checks, missing } = clause;
  const words = missing === undefined ? verdict : IN_PART;
  const content = [
    html`<p><b>${id}</b> ${CLAUSES[id].statement} <span class="soft">(${level})</span></p> `,
    ...reasonLines(clause).map((reason) => line(reason)),
    html`<p class="names">${linksTo(checks, listed, checkAnchor)}</p>`,
  ];
  return verdictRow(id, { verdict, words, clauses: [] }, content);
}

/** The linked checks give the reasons for these. */
const EXPLAINED_BY_CHECKS: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'warn', 'observed']);

function reasonLines(clause: ClauseResult): readonly string[] {
  if (clause.missing !== undefined) return missingLines(clause).map((text) => `without: ${text}`);
  return EXPLAINED_BY_CHECKS.has(clause.verdict) ? [] : [clause.reason];
}

/** A table with its title; nothing without rows. */
export function tableSection({ title, head, rows }: Table): Markup {
  if (rows.length === 0) return html``;
  const anchor = title.toLowerCase().replaceAll(' ', '-');
  const bodyRows = rows.map(
    ({ cells }) =>
      html`<tr>
        ${cells.map(tableCell)}
      </tr> `,
  );
  const table = html`<table aria-labelledby="${anchor}">
    <thead>
      <tr>
        ${head.map((name) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${bodyRows}
    </tbody>
  </table>`;
  return titled(anchor, title, table);
}

function tableCell(cell: Cell): Markup {
  return html`<td>${typeof cell === 'string' ? cell : html`<code>${cell.said}</code>`}</td>`;
}

/** What a caller did in each scenario. */
export function scenariosSection({ scenarios = [] }: Pick<Summary, 'scenarios'>): Markup {
  const all = scenarios.map((scenario) => {
    const head = `${scenario.name}: ${counted(scenario.requests.length, 'request')}, ${scenario.end}`;
    return folded(head, partList(scenarioParts(scenario)));
  });
  return all.length === 0 ? html`` : titled('scenarios', 'Scenarios', all);
}
