import type { Summary } from '../../model/summary.ts';
import { html, type Markup } from './markup.ts';
import { inputLines } from '../terminal/report-inputs.ts';
import { VERDICTS } from '../report-verdicts.ts';

/** How many checks came to each verdict, to the eye; the boxes that filter them say it in words. */
function bar({ checks }: Summary): Markup {
  const parts = VERDICTS.flatMap((verdict) => {
    const count = checks.filter((each) => each.verdict === verdict).length;
    return count === 0 ? [] : [html`<span class="${verdict}" style="flex-grow: ${count}"></span>`];
  });
  return html`<div class="bar" aria-hidden="true">${parts}</div>`;
}

function beside({ outcome, baseline }: Summary): Markup {
  if (baseline === undefined || baseline.outcome === outcome) return html``;
  return html`<p>
    Beside the failures that the baseline lists: <b class="${baseline.outcome}">${baseline.outcome}</b>
  </p>`;
}

function inputs(summary: Summary): readonly Markup[] {
  return inputLines(summary).map(
    (line) =>
      html`<div>
        <dt>Inputs</dt>
        <dd>${line}</dd>
      </div>`,
  );
}

function facts(summary: Summary): Markup {
  const { target, seed, spent, startedAt, durationMs } = summary;
  const { requests, completions, outputTokens } = spent;
  const profile = target.profile === null ? '' : `, profile ${target.profile}`;
  const seconds = (durationMs / 1000).toFixed(1);
  return html`<dl class="facts">
    <div>
      <dt>Target</dt>
      <dd><code>${target.baseUrl}</code> (${target.kind}${profile})</dd>
    </div>
    <div>
      <dt>Begun</dt>
      <dd><time>${startedAt}</time></dd>
    </div>
    <div>
      <dt>Seed</dt>
      <dd>${seed}</dd>
    </div>
    <div>
      <dt>Spent</dt>
      <dd>${requests} requests, ${completions} completions, ${outputTokens} output tokens in ${seconds} s</dd>
    </div>
    ${inputs(summary)}
  </dl>`;
}

function entry(anchor: string, count: number, word: string): Markup {
  return html`<li><a href="#${anchor}">${count} ${count === 1 ? word : `${word}s`}</a></li> `;
}

function contents({ checks, clauses, open }: Summary): Markup {
  const entries = [
    entry('checks', checks.length, 'check'),
    entry('clauses', clauses.length, 'clause'),
    ...(open.length === 0 ? [] : [entry('open-points', open.length, 'open point')]),
  ];
  return html`<nav aria-label="Contents">
    <ul>
      ${entries}
    </ul>
  </nav>`;
}

/** What was run, what it amounts to, and where to go on. */
export function pageHead(summary: Summary): Markup {
  const { outcome } = summary;
  return html`<header>
    <h1>Conformance: <span class="${outcome}">${outcome}</span></h1>
    ${beside(summary)}${facts(summary)} ${bar(summary)} ${contents(summary)}
  </header>`;
}
