import { printable } from '../text/printable.ts';
import { type StyleText, VERDICT_STYLES } from './colours.ts';
import type { Table } from './tables.ts';

const WIDTH = 110;

/** Characters of a text on a screen. */
export const LONGEST = 600;

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

/** Rows of two cells: the first in the colour of the verdict, the second in as many lines as it takes. */
export function tableLines({ rows }: Table, styleText: StyleText): readonly string[] {
  const texts = rows.map(({ verdict, cells }) => {
    const [first = '', second = ''] = cells.map((cell) =>
      typeof cell === 'string' ? cell : printable(cell.said, LONGEST),
    );
    return { style: verdict === undefined ? 'dim' : VERDICT_STYLES[verdict], first, second } as const;
  });
  const width = Math.max(0, ...texts.map(({ first }) => first.length));
  const indent = ' '.repeat(width + 4);
  return texts.map(({ style, first, second }) => {
    const beside = wrapWords(indent, second.split(' '), WIDTH).slice(indent.length);
    return `  ${styleText(style, first.padEnd(width))}  ${beside}`;
  });
}
