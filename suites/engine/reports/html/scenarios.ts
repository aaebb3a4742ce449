import type { ScenarioResult, Summary } from '../../model/summary.ts';
import { counted } from '../display-verdict.ts';
import { preformatted } from './checks.ts';
import { checkAnchor, html, type Markup } from './markup.ts';

const MARKS = {
  pass: '✔',
  fail: '✘',
  warn: '!',
  error: '✘',
  inconclusive: '?',
  observed: '·',
  'not-exercised': '–',
} as const;

/** What a caller did in each scenario: what each check says of it, and everything that it sent. */
export function scenariosSection({ scenarios = [] }: Pick<Summary, 'scenarios'>): Markup {
  if (scenarios.length === 0) return html``;
  return html`<section aria-labelledby="scenarios">
    <h2 id="scenarios">Scenarios</h2>
    ${verdictTable(scenarios)} ${scenarios.map(scenarioDetails)}
  </section>`;
}

function verdictTable(scenarios: readonly ScenarioResult[]): Markup {
  const checks = [...new Set(scenarios.flatMap(({ verdicts }) => verdicts.map(({ check }) => check)))];
  return html`<div class="scroll">
    <table class="scenarios">
      <thead>
        <tr>
          <th scope="col">check</th>
          ${scenarios.map(({ name }) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${checks.map((check) => checkRow(check, scenarios))}
      </tbody>
    </table>
  </div>`;
}

function checkRow(check: string, scenarios: readonly ScenarioResult[]): Markup {
  const cells = scenarios.map(({ verdicts }) => {
    const found = verdicts.find((one) => one.check === check);
    if (found === undefined) return html`<td></td>`;
    const { verdict, reason } = found;
    return html`<td class="${verdict}" title="${reason === '' ? verdict : reason}">${MARKS[verdict]}</td>`;
  });
  return html`<tr>
    <th scope="row"><a href="#${checkAnchor(check)}">${check}</a></th>
    ${cells}
  </tr>`;
}

function scenarioDetails(scenario: ScenarioResult): Markup {
  const { name, end, timeline, requests, output } = scenario;
  const written =
    output === ''
      ? html``
      : html`<h4>Output</h4>
          ${preformatted(output.split('\n'))}`;
  return html`<details>
    <summary>${name}: ${counted(requests.length, 'request')}, ${end}</summary>
    ${preformatted(timeline)} ${written}
  </details>`;
}
