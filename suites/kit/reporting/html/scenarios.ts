import type { ScenarioRequest, ScenarioResult, Summary } from '../../model/summary.ts';
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

/** What a caller did in each scenario: what each check says of it, and a picture of its requests. */
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
    ${picture(requests)} ${preformatted(timeline)} ${written}
  </details>`;
}

const WIDTH = 800;
const ROW = 10;
const MOST_BARS = 500;
const MARGIN = 4;

/** A bar for each completion, one below the other while they are in flight; faults and debits are marked. */
function picture(requests: readonly ScenarioRequest[]): Markup {
  const all = requests.filter(({ kind }) => kind === 'chat');
  const chats = all.slice(0, MOST_BARS);
  if (chats.length === 0) return html``;
  const last = Math.max(1, ...chats.map(({ from, to }) => to ?? from));
  const scale = (WIDTH - 2 * MARGIN) / last;
  const lanes = lanesOf(chats);
  const height = (Math.max(...lanes) + 1) * ROW + 2 * MARGIN;
  const bars = chats.map((chat, index) => bar(chat, (lanes[index] ?? 0) * ROW + MARGIN, scale, last));
  const which = chats.length === all.length ? '' : `: the first ${chats.length} of ${all.length}`;
  const label = `Completions in flight from 0 to ${(last / 1000).toFixed(2)} s${which}`;
  return html`<figure class="flight">
    <svg role="img" aria-label="${label}" viewBox="0 0 ${WIDTH} ${height}">${bars}</svg>
    <figcaption>
      ${label} · <span class="fault"></span> met a fault · <span class="debit"></span> was debited
    </figcaption>
  </figure>`;
}

/** The lane of each request: the first in which no earlier one is still in flight. So lanes count what is in flight. */
function lanesOf(chats: readonly ScenarioRequest[]): readonly number[] {
  const busyUntil: number[] = [];
  return chats.map(({ from, to }) => {
    const free = busyUntil.findIndex((until) => until <= from);
    const lane = free === -1 ? busyUntil.length : free;
    busyUntil[lane] = to ?? Infinity;
    return lane;
  });
}

function bar(request: ScenarioRequest, y: number, scale: number, last: number): Markup {
  const { n, from, to, outcome, fault, money } = request;
  const x = MARGIN + from * scale;
  const width = Math.max(2, ((to ?? last) - from) * scale);
  const parts = [`#${n}`, outcome, fault, money].filter((part) => part !== undefined);
  const kind = fault === undefined ? 'served' : 'fault';
  const paid = money?.startsWith('debited') === true;
  const mark = paid ? html`<circle cx="${x + width}" cy="${y + 4}" r="2.5" class="debit" />` : html``;
  return html`<g>
    <title>${parts.join(' · ')}</title>
    <rect x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 3}" class="${kind}" />
    ${mark}
  </g>`;
}
