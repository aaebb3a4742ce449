/** How a piece of a report may stand out. */
export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Gives a text its style, where the place it goes to can show one. */
export type Paint = (style: Style, text: string) => string;

/** For files, pipes and messages of tests. */
export const UNPAINTED: Paint = (_style, text) => text;
