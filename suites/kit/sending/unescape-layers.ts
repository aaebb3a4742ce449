/** A text with some of its escapes undone, and where each of its characters was in the original text. */
export interface UnescapedText {
  readonly text: string;
  /** `[from, to)` in the original text, given `[from, to)` in this one. */
  readonly origin: (from: number, to: number) => readonly [number, number];
}

/**
 * Percent encoding, the escapes of JSON and of JavaScript, references of HTML, and a line broken or folded in the middle
 * of a word: every way to write a character of a key.
 */
const ESCAPE = new RegExp(
  [
    String.raw`%(?<percent>[\da-f]{2})`,
    String.raw`\\u(?<unit>[\da-f]{4})`,
    String.raw`\\x(?<byte>[\da-f]{2})`,
    String.raw`&#x0*(?<hex>[\da-f]{1,6});?`,
    String.raw`&#0*(?<decimal>\d{1,7});?`,
    String.raw`&(?<name>amp|lt|gt|quot|apos|sol|plus|equals|lowbar|period|hyphen|dash);`,
    String.raw`(?<=\S)(?:\\r)?\\n(?:[ \t]|\\t)*(?=\S)`,
    String.raw`\0`,
    String.raw`\\(?<itself>[^\w\s])`,
    String.raw`(?<=\S)(?:\r?\n(?:data:)?[ \t]*|[ \t]{2,})(?=\S)`,
  ].join('|'),
  'gi',
);

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  sol: '/',
  plus: '+',
  equals: '=',
  lowbar: '_',
  period: '.',
  hyphen: '-',
  dash: '-',
};

/** Escapes of escapes of escapes: no honest service nests deeper. */
const MOST_LAYERS = 3;

/** A faster test for any escape. */
const TELLTALE = /\0|%[\da-f]{2}|\\\S|&[#\w]|\S(?:\r?\n[\t ]*|[\t ]{2,})\S/i;

/** Whether undoing escapes may change a text. */
export function hasEscape(text: string): boolean {
  return TELLTALE.test(text);
}

/** The text with one, two, … layers of escapes undone; empty when it has no escape. */
export function unescapeLayers(text: string): readonly UnescapedText[] {
  const layers: UnescapedText[] = [];
  let outer: UnescapedText = { text, origin: (from, to) => [from, to] };
  while (layers.length < MOST_LAYERS && outer.text.search(ESCAPE) !== -1) {
    outer = unescaped(outer);
    layers.push(outer);
  }
  return layers;
}

/** A part of a text, and what it stands for: itself, or one character, or nothing. */
interface Segment {
  readonly from: number;
  readonly to: number;
  readonly meaning: string;
}

function unescaped(outer: UnescapedText): UnescapedText {
  const segments = segmentsOf(outer.text);
  const text = segments.map(({ meaning }) => meaning).join('');
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let at = 0;
  for (const { from, to, meaning } of segments) {
    const isItself = meaning.length === to - from;
    for (let i = 0; i < meaning.length; i += 1, at += 1) {
      starts[at] = isItself ? from + i : from;
      ends[at] = isItself ? from + i + 1 : to;
    }
  }
  return { text, origin: (from, to) => outer.origin(starts[from] ?? 0, ends[to - 1] ?? 0) };
}

function segmentsOf(text: string): readonly Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const match of text.matchAll(ESCAPE)) {
    const to = match.index + match[0].length;
    segments.push({ from: at, to: match.index, meaning: text.slice(at, match.index) });
    segments.push({ from: match.index, to, meaning: characterOf(match.groups ?? {}) });
    at = to;
  }
  segments.push({ from: at, to: text.length, meaning: text.slice(at) });
  return segments;
}

function characterOf(groups: Readonly<Record<string, string | undefined>>): string {
  const { percent, unit, byte, hex, decimal, name, itself } = groups;
  if (itself !== undefined) return itself;
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? '';
  const hexadecimal = percent ?? unit ?? byte ?? hex;
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  // Keys have no characters beyond this; NaN: a broken line stands for nothing.
  return code <= 0xffff ? String.fromCharCode(code) : '';
}
