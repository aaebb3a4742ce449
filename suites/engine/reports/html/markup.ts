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
