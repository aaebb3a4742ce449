import type { Verdict } from '../../model/summary.ts';
import { printable } from '../../text/printable.ts';

/** A piece of a page; only `html` and `ownElement` make one. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[];

/** Fills a template. Whatever is not markup already is escaped, in elements and in attributes. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: String.raw({ raw: template }, ...parts.map(partMarkup)) };
}

/** For a style sheet or a script of ours only: nothing is escaped. */
export function ownElement(name: 'style' | 'script', text: string): Markup {
  return { markup: `<${name}>${text}</${name}>` };
}

function partMarkup(part: Part): string {
  if (typeof part !== 'object') return escaped(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(value: string): string {
  return printable(value, Infinity).replaceAll(/[&<>"']/g, (character) => REFERENCES[character] ?? '');
}

/** The anchor of a check. That of a clause is its ID, which never looks like this. */
export function checkAnchor(id: string): string {
  return `check-${id}`;
}

/** Names as links to their anchors; a name whose anchor is not on this page is no link. */
export function linksTo(
  names: readonly string[],
  listed: ReadonlySet<string>,
  anchorOf: (name: string) => string = (name) => name,
): readonly Markup[] {
  return names.map((name) =>
    listed.has(anchorOf(name))
      ? html`<a href="#${anchorOf(name)}">${name}</a> `
      : html`<span>${name}</span> `,
  );
}

/** A part of the page, with its heading. */
export function titled(anchor: string, title: string, content: Part, styles = ''): Markup {
  return html`<section ${styled(styles)} aria-labelledby="${anchor}">
    <h2 id="${anchor}">${title}</h2>
    ${content}
  </section> `;
}

function styled(style: string): Markup {
  return style === '' ? html`` : html`class="${style}"`;
}

/** A verdict, and what it is on. Tests read that it begins with its anchor and its words. */
export function verdictRow(anchor: string, of: VerdictOn, content: Part): Markup {
  return html`<li class="${of.verdict}" id="${anchor}" data-clauses="${of.clauses.join(' ')}">
    <span class="verdict">${of.words}</span>
    <div>${content}</div>
  </li> `;
}

interface VerdictOn {
  readonly verdict: Verdict;
  readonly words: string;
  readonly clauses: readonly string[];
}

/** Text on a line of its own; nothing for none. */
export function line(text: string, style = ''): Markup {
  return text === '' ? html`` : html`<p ${styled(style)}>${text}</p>`;
}

/** What a reader unfolds. */
export function folded(summary: string, content: Part, isOpen = false): Markup {
  return html`<details ${isOpen ? html`open` : html``}>
    <summary>${summary}</summary>
    ${content}
  </details>`;
}
