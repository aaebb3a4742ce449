import type { ClauseId } from '../../../../fixtures/clauses/clauses.ts';
import type { OpenPointResult, Summary } from '../../model/summary.ts';
import { html, type Markup } from './markup.ts';

function valueText({ observed, varied }: OpenPointResult): Markup {
  return html`<code>${JSON.stringify(observed)}</code>${varied === true ? ' (it varied)' : ''}`;
}

function pinnedText({ pinned }: OpenPointResult): Markup {
  return pinned === undefined
    ? html``
    : html` <span class="soft">pinned: <code>${JSON.stringify(pinned)}</code></span>`;
}

function rows(clause: ClauseId, points: readonly OpenPointResult[]): Markup {
  const heading = html`<th scope="rowgroup" rowspan="${points.length}">${clause}</th>`;
  const cells = points.map(
    (point, i) =>
      html`<tr>
        ${i === 0 ? heading : html``}
        <td><code>${point.point}</code></td>
        <td>${valueText(point)}${pinnedText(point)}</td>
      </tr> `,
  );
  return html`<tbody>
    ${cells}
  </tbody>`;
}

/** What the target does where the specification is silent. */
export function openPointsSection({ open }: Summary): Markup {
  if (open.length === 0) return html``;
  const byClause = Map.groupBy(open, ({ clause }) => clause);
  const groups = [...byClause].map(([clause, points]) => rows(clause, points));
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
