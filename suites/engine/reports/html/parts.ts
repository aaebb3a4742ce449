import { bodyLines, isWithin } from '../../text/body-lines.ts';
import type { Message, Part } from '../failure-parts.ts';
import { html, type Markup } from './markup.ts';

/** Parts beside their labels. */
export function partList(parts: readonly Part[]): Markup {
  return parts.length === 0 ? html`` : html`<dl>${parts.map(labelled)}</dl>`;
}

function labelled(part: Part): Markup {
  const shown = part.message === undefined ? linesBlock(part) : messageBlock(part.message);
  return part.label === ''
    ? html`<dd>${shown}</dd>`
    : html`<dt>${part.label}</dt>
        <dd>${shown}</dd>`;
}

/** What a reader pastes into a shell. */
const COMMANDS: ReadonlySet<string> = new Set(['curl', 'again']);

const LISTINGS: ReadonlySet<string> = new Set(['timeline', 'output']);

function linesBlock({ label, lines }: Part): Markup {
  if (LISTINGS.has(label)) return preformatted(lines.map((line) => html`${line}`));
  if (!COMMANDS.has(label)) return html`${lines.map((line) => html`<p>${line}</p>`)}`;
  const button = html`<button type="button" class="copy" hidden>Copy</button>`;
  return html`<div class="command">${preformatted(lines.map((line) => html`${line}`))}${button}</div>`;
}

/** A request or an answer; in JSON, the one place that matters is marked. */
export function messageBlock({ start, headers, body, place }: Message): Markup {
  const lines = [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const below = bodyLines(body).map((line) => {
    const text = isWithin(line, place) ? html`<mark>${line.text}</mark>` : html`${line.text}`;
    return html`${line.indent}${text}`;
  });
  return preformatted([...lines.map((line) => html`${line}`), ...(body === '' ? [] : [html``, ...below])]);
}

/** A line break after each line: those within a text are escaped. */
function preformatted(lines: readonly Markup[]): Markup {
  return html`<pre>${lines.map((line) => html`${line}<br />`)}</pre>`;
}
