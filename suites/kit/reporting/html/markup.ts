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
