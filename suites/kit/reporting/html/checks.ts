import type { CheckResult, Summary } from '../../model/summary.ts';
import type { Verdict } from '../../model/verdict.ts';
import { evidenceDetails } from './evidence.ts';
import { checkAnchor, linksTo } from './links.ts';
import { html, type Markup } from './markup.ts';
import { triedOf } from '../terminal/report-inputs.ts';
import { VERDICTS, VERDICT_WORDS } from '../report-verdicts.ts';
import { reasonOf, displayVerdict } from '../standing-of.ts';

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
