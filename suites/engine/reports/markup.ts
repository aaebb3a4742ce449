import { printable } from '../text/printable.ts';

/** A piece of a page, or of XML; only `html` and `ownStyle` make one. */
export interface Markup {
  readonly markup: string;
}

type Content = string | number | Markup | readonly Markup[];

/** Fills a template. Whatever is not markup already is escaped, in elements and in attributes. */
export function html(template: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return { markup: String.raw({ raw: template }, ...contents.map(markupOf)) };
}

/** For a style sheet of ours only: nothing is escaped. */
export function ownStyle(text: string): Markup {
  return { markup: `<style>${text}</style>` };
}

function markupOf(content: Content): string {
  if (typeof content !== 'object') return escaped(String(content));
  return 'markup' in content ? content.markup : content.map(({ markup }) => markup).join('');
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

/** A part of the page, with its heading. */
export function titled(anchor: string, title: string, content: Content, style = ''): Markup {
  return html`<section class="${style}" aria-labelledby="${anchor}">
    <h2 id="${anchor}">${title}</h2>
    ${content}
  </section> `;
}

/** Text on a line of its own; nothing for none. */
export function line(text: string, style = ''): Markup {
  return text === '' ? html`` : html`<p class="${style}">${text}</p>`;
}

/** What a reader unfolds. */
export function folded(summary: string, content: Content, isOpen = false): Markup {
  return html`<details ${isOpen ? html`open` : html``}>
    <summary>${summary}</summary>
    ${content}
  </details>`;
}
