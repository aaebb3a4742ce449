import { styleText as nodeStyleText } from 'node:util';
import type { RunOutcome } from '../model/summary.ts';

/** The styles that text on a terminal may have. The HTML report has its own: `html-style.ts`. */
export type TextStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Characters of a text on a screen. */
export const LONGEST = 600;

/** Gives a text a style, where its destination can show one. */
export type StyleText = (style: TextStyle, text: string) => string;

/** Styles text for a stream: plain where it is no terminal, or the environment says NO_COLOR. */
export function styleTextFor(stream: 'stdout' | 'stderr'): StyleText {
  return (style, text) => nodeStyleText(style, text, { stream: process[stream] });
}

/** For files, pipes and error messages. */
export const withoutColours: StyleText = (_style, text) => text;

export const OUTCOME_STYLES: Readonly<Record<RunOutcome, TextStyle>> = {
  conformant: 'green',
  violations: 'red',
  incomplete: 'yellow',
};
