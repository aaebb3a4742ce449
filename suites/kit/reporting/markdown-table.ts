function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}

/** A Markdown table with aligned columns, as the formatter writes it. */
export function markdownTable(head: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [head, ...body].map((cells) => cells.map(cell));
  const widths = head.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const [first = [], ...others] = rows;
  const rule = widths.map((width) => '-'.repeat(width));
  const lines = [first, rule, ...others].map((cells) => cells.map((text, i) => text.padEnd(widths[i] ?? 0)));
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
