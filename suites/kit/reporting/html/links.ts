import { html, type Markup } from './markup.ts';

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
