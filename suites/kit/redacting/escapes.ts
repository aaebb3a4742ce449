/** What an escape stands for: up to three bytes. */
export class Meaning {
  readonly bytes = new Uint8Array(3);
  count = 0;
  /** What stands before the next byte: the last byte of the escape, as far as boundaries care. */
  last = 0;

  nothing(width: number, last = 0x61): number {
    this.count = 0;
    this.last = last;
    return width;
  }

  byte(value: number, width: number, last = value): number {
    this.bytes[0] = value;
    this.count = 1;
    this.last = last;
    return width;
  }

  /** As UTF-8; keys have no characters beyond the basic plane. */
  character(code: number, width: number): number {
    if (code < 0x80) return this.byte(code, width);
    this.last = 0x61;
    this.count = code > 0xffff ? 0 : code < 0x800 ? 2 : 3;
    const [first, second, third] =
      this.count === 2
        ? [0xc0 | (code >> 6), 0x80 | (code & 63), 0]
        : [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
    this.bytes.set([first, second, third]);
    return width;
  }
}

/** Reads the escape at `at`; returns how many bytes it takes, 0 when there is none. */
export type Read = (bytes: Uint8Array, at: number, end: number, previous: number, meaning: Meaning) => number;

/** One way to write a character as others. */
export interface Dialect {
  /** 1 for each byte with which an escape may begin. */
  readonly begins: Uint8Array;
  readonly read: Read;
  /** Where it may be, from and to: found fast, since nearly no answer is written in a rare dialect. */
  readonly places: (latin1: string) => Iterable<readonly [number, number]>;
}

const HEX = new Int8Array(256).fill(-1);
for (const [value, digit] of Array.from('0123456789abcdef').entries()) {
  HEX[digit.charCodeAt(0)] = value;
  HEX[digit.toUpperCase().charCodeAt(0)] = value;
}

export const hexAt = (bytes: Uint8Array, at: number): number => HEX[bytes[at] ?? 0] ?? -1;

/** The number in `count` hexadecimal digits; -1 when there are not so many. */
export function hexNumber(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i += 1) {
    const digit = hexAt(bytes, at + i);
    if (digit === -1) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** How many hexadecimal digits stand here, `most` at most. */
export function hexDigits(bytes: Uint8Array, at: number, most: number): number {
  let count = 0;
  while (count < most && hexAt(bytes, at + count) !== -1) count += 1;
  return count;
}

export const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= 0x30 && byte <= 0x39;
const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d) || byte === undefined;
const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09;
const isWord = (byte: number): boolean =>
  isDigit(byte) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x5f;

const [PERCENT, BACKSLASH, AMPERSAND, LF, CR] = [0x25, 0x5c, 0x26, 0x0a, 0x0d];
const [LOWER_U, LOWER_X, LOWER_N, LOWER_R, LOWER_T] = [0x75, 0x78, 0x6e, 0x72, 0x74];

const percent: Read = (bytes, at, _end, _previous, meaning) => {
  if (((bytes[at + 1] ?? 0) | 0x20) === LOWER_U) {
    const wide = hexNumber(bytes, at + 2, 4);
    if (wide !== -1) return meaning.character(wide, 6);
  }
  const value = hexNumber(bytes, at + 1, 2);
  return value === -1 ? 0 : meaning.byte(value, 3);
};

const backslash: Read = (bytes, at, end, previous, meaning) => {
  const next = bytes[at + 1];
  if (next === undefined || at + 1 >= end) return 0;
  if (next === LOWER_N || next === LOWER_R) return writtenBreak(bytes, at, end, previous, meaning);
  const letter = next | 0x20;
  if (letter === LOWER_U) return unicode(bytes, at, meaning);
  if (letter === LOWER_X) {
    const value = hexNumber(bytes, at + 2, 2);
    return value === -1 ? 0 : meaning.byte(value, 4);
  }
  return isWord(next) || isSpace(next) ? 0 : meaning.byte(next, 2);
};

function unicode(bytes: Uint8Array, at: number, meaning: Meaning): number {
  if (bytes[at + 2] === 0x7b) {
    const digits = hexDigits(bytes, at + 3, 6);
    if (digits === 0 || bytes[at + 3 + digits] !== 0x7d) return 0;
    return meaning.character(hexNumber(bytes, at + 3, digits), digits + 4);
  }
  const value = hexNumber(bytes, at + 2, 4);
  return value === -1 ? 0 : meaning.character(value, 6);
}

/** A line broken in the middle of a word, and written as `\n`. */
function writtenBreak(
  bytes: Uint8Array,
  at: number,
  end: number,
  previous: number,
  meaning: Meaning,
): number {
  if (previous === -1 || isSpace(previous)) return 0;
  let to = at + (bytes[at + 1] === LOWER_R && bytes[at + 2] === BACKSLASH ? 2 : 0);
  if (bytes[to + 1] !== LOWER_N) return 0;
  to += 2;
  while (to < end && (isBlank(bytes[to]) || (bytes[to] === BACKSLASH && bytes[to + 1] === LOWER_T)))
    to += isBlank(bytes[to]) ? 1 : 2;
  return to >= end || isSpace(bytes[to]) ? 0 : meaning.nothing(to - at);
}

/** A line broken or folded in the middle of a word. */
const fold: Read = (bytes, at, end, previous, meaning) => {
  if (previous === -1 || isSpace(previous)) return 0;
  let to = at + (bytes[at] === CR && bytes[at + 1] === LF ? 1 : 0);
  const isBreak = bytes[to] === LF;
  if (isBreak) {
    to += 1;
    if (bytes[to] === 0x64 && Buffer.from(bytes.subarray(to, to + 5)).toString('latin1') === 'data:') to += 5;
  } else if (!isBlank(bytes[at]) || !isBlank(bytes[at + 1])) return 0;
  while (to < end && isBlank(bytes[to])) to += 1;
  return to >= end || isSpace(bytes[to]) ? 0 : meaning.nothing(to - at);
};

/** What stands between `&` and its semicolon, for one character each. */
const NAMED = Object.entries({
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
}).map(([name, character]) => ({ name: Buffer.from(`${name};`), byte: character.charCodeAt(0) }));

const NAMED_BY_FIRST = Map.groupBy(NAMED, ({ name }) => name[0]);

/** Digits of a reference; more are leading zeros that nobody writes. */
const MOST_DIGITS = 10;

const reference: Read = (bytes, at, _end, _previous, meaning) => {
  if (bytes[at + 1] !== 0x23) return namedReference(bytes, at, meaning);
  const base = ((bytes[at + 2] ?? 0) | 0x20) === LOWER_X ? 16 : 10;
  const from = at + (base === 16 ? 3 : 2);
  let [code, to] = [0, from];
  while (to < from + MOST_DIGITS && hexAt(bytes, to) !== -1 && hexAt(bytes, to) < base)
    code = code * base + hexAt(bytes, to++);
  if (to === from) return 0;
  return meaning.character(code, to - at + (bytes[to] === 0x3b ? 1 : 0));
};

function namedReference(bytes: Uint8Array, at: number, meaning: Meaning): number {
  const alike = NAMED_BY_FIRST.get((bytes[at + 1] ?? 0) | 0x20);
  if (alike === undefined) return 0;
  for (const { name, byte } of alike)
    if (isNamed(bytes, at + 1, name)) return meaning.byte(byte, name.length + 1);
  return 0;
}

function isNamed(bytes: Uint8Array, at: number, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i += 1) if (((bytes[at + i] ?? 0) | 0x20) !== name[i]) return false;
  return true;
}

/** Characters that nobody sees, and letters of full width. */
const wide: Read = (bytes, at, _end, _previous, meaning) => {
  const [first, second = 0, third = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  if (first === 0xc2) return second === 0xad ? meaning.nothing(2) : 0;
  if (first === 0xe2) {
    const isInvisible =
      (second === 0x80 && third >= 0x8b && third <= 0x8f) || (second === 0x81 && third >= 0xa0);
    return isInvisible ? meaning.nothing(3) : 0;
  }
  if (second === 0xbb && third === 0xbf) return meaning.nothing(3);
  const code = second === 0xbc ? third - 0x60 : second === 0xbd ? third - 0x20 : 0;
  return code > 0x20 && code < 0x7f ? meaning.byte(code, 3) : 0;
};

const READERS = new Map<number, Read>([
  [0, (_bytes, _at, _end, _previous, meaning) => meaning.nothing(1)],
  [PERCENT, percent],
  [BACKSLASH, backslash],
  [AMPERSAND, reference],
  ...[LF, CR, 0x20, 0x09].map((byte) => [byte, fold] as const),
  ...[0xc2, 0xe2, 0xef].map((byte) => [byte, wide] as const),
]);
const READER_OF = Array.from({ length: 256 }, (_, byte) => READERS.get(byte));

export function beginning(bytes: Iterable<number>): Uint8Array {
  const begins = new Uint8Array(256);
  for (const byte of bytes) begins[byte] = 1;
  return begins;
}

/** Matches wherever a usual escape is, and faster. */
const TELLTALE = /\0|%[\da-fu]|\\\S|&[#\w]|\S(?:\r?\n|[\t ]{2,})|\xC2\xAD|\xE2[\x80\x81]|\xEF[\xBB-\xBD]/i;

/** Percent encoding, the escapes of JSON and JavaScript, references of HTML, folded lines, letters that look the same. */
export const USUAL: Dialect = {
  begins: beginning(READERS.keys()),
  read: (bytes, at, end, previous, meaning) =>
    READER_OF[bytes[at] ?? 0]?.(bytes, at, end, previous, meaning) ?? 0,
  places: (latin1) => (TELLTALE.test(latin1) ? [[0, latin1.length]] : []),
};
