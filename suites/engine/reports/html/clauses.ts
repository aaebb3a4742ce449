import { CLAUSES, type ClauseId } from '../../../../fixtures/clauses/clauses.ts';
import type { ClauseResult, OpenPointResult, Summary, Verdict } from '../../model/summary.ts';
import { IN_PART, missingLines, verdictCounts } from '../display-verdict.ts';
import { checkAnchor, html, linksTo, type Markup } from './markup.ts';

/** Every clause in words, by section of the specification, with its checks. */
export function clausesSection({ clauses, checks }: Summary): Markup {
  const listed = new Set(checks.map(({ id }) => checkAnchor(id)));
  const sections = Map.groupBy(clauses, ({ id }) => CLAUSES[id].section);
  const groups = [...sections].map(([section, those]) => group(section, those, listed));
  return html`<section aria-labelledby="clauses">
    <h2 id="clauses">Clauses</h2>
    ${groups}
  </section>`;
}

const NEED_ATTENTION: ReadonlySet<Verdict> = new Set(['fail', 'error', 'warn']);

/** One section of the specification; open if one of its clauses needs attention. */
function group(section: string, clauses: readonly ClauseResult[], listed: ReadonlySet<string>): Markup {
  const open = clauses.some(({ verdict }) => NEED_ATTENTION.has(verdict)) ? html` open` : html``;
  const counts = verdictCounts(clauses).map(({ word, count }) => `${count} ${word}`);
  return html`<details class="group" ${open}>
    <summary>
      <h3>${section}</h3>
      <span class="soft">${counts.join(' · ')}</span>
    </summary>
    <ul class="rows">
      ${clauses.map((clause) => item(clause, listed))}
    </ul>
  </details> `;
}

function item(clause: ClauseResult, listed: ReadonlySet<string>): Markup {
  const { id, level, verdict, checks, missing } = clause;
  const links = linksTo(checks, listed, checkAnchor);
  return html`<li class="${verdict}" id="${id}">
    <span class="verdict">${missing === undefined ? verdict : IN_PART}</span>
    <div>
      <p><b>${id}</b> ${CLAUSES[id].statement} <span class="soft">(${level})</span></p>
      ${reasonLine(clause)}
      <p class="names">${links}</p>
    </div>
  </li> `;
}

/** The linked checks give the reasons for these. */
const EXPLAINED_BY_CHECKS: ReadonlySet<Verdict> = new Set(['pass', 'fail', 'warn', 'observed']);

function reasonLine(clause: ClauseResult): Markup {
  const { verdict, reason } = clause;
  if (clause.missing !== undefined)
    return html`${missingLines(clause).map((line) => html`<p>without: ${line}</p>`)}`;
  return reason === '' || EXPLAINED_BY_CHECKS.has(verdict) ? html`` : html`<p>${reason}</p>`;
}

/** What the target does where the specification is silent. */
export function openPointsSection({ open }: Summary): Markup {
  if (open.length === 0) return html``;
  const byClause = Map.groupBy(open, ({ clause }) => clause);
  const groups = [...byClause].map(([clause, points]) => pointRows(clause, points));
  return html`<section aria-labelledby="open-points">
    <h2 id="open-points">Open points</h2>
    <table aria-labelledby="open-points">
      <thead>
        <tr>
          <th scope="col">Clause</th>
          <th scope="col">Point</th>
          <th scope="col">Observed</th>
        </tr>
      </thead>
      ${groups}
    </table>
  </section>`;
}

function pointRows(clause: ClauseId, points: readonly OpenPointResult[]): Markup {
  const heading = html`<th scope="rowgroup" rowspan="${points.length}">${clause}</th>`;
  const rows = points.map(
    (point, i) =>
      html`<tr>
        ${i === 0 ? heading : html``}
        <td><code>${point.point}</code></td>
        <td>${observedText(point)}${pinnedText(point)}</td>
      </tr> `,
  );
  return html`<tbody>
    ${rows}
  </tbody>`;
}

function observedText({ observed, varied }: OpenPointResult): Markup {
  return html`<code>${JSON.stringify(observed)}</code>${varied === true ? ' (it varied)' : ''}`;
}

function pinnedText({ pinned }: OpenPointResult): Markup {
  return pinned === undefined
    ? html``
    : html` <span class="soft">pinned: <code>${JSON.stringify(pinned)}</code></span>`;
}
