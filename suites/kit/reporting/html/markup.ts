import { printable } from '../../evidence/printable.ts';

/** A piece of a page, made here alone. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | readonly Markup[];

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Visible, and nothing of it markup, whoever wrote it. */
function text(value: string): string {
  return printable(value, Infinity).replaceAll(/[&<>"']/g, (character) => REFERENCES[character] ?? '');
}

function partText(part: Part): string {
  if (typeof part !== 'object') return text(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

/** Fills a template: text stays text wherever it comes to stand, and only what this function made is markup. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: String.raw({ raw: template }, ...parts.map(partText)) };
}

/** A style sheet of ours, which is no place for anything that a target wrote. */
export function styleElement(sheet: string): Markup {
  return { markup: `<style>${sheet}</style>` };
}

/** Where a check stands on the page. A clause stands under its ID, which no anchor of ours looks like. */
export function checkAnchor(id: string): string {
  return `check-${id}`;
}

function link(name: string, anchor: string, listed: ReadonlySet<string>): Markup {
  return listed.has(anchor) ? html`<a href="#${anchor}">${name}</a> ` : html`<span>${name}</span> `;
}

/** Names as links to where they stand; a name that stands nowhere on this page is no link. */
export function linksTo(
  names: readonly string[],
  listed: ReadonlySet<string>,
  anchorOf: (name: string) => string = (name) => name,
): readonly Markup[] {
  return names.map((name) => link(name, anchorOf(name), listed));
}
