/** Words in lines of at most `width` columns, every line indented. */
export function wrapWords(indent: string, words: readonly string[], width: number): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of words) {
    const longer = line === indent ? `${line}${word}` : `${line} ${word}`;
    if (longer.length > width && line !== indent) {
      lines.push(line);
      line = `${indent}${word}`;
    } else {
      line = longer;
    }
  }
  return [...lines, line].join('\n');
}
