import {
  beginning,
  type Dialect,
  hexAt,
  hexDigits,
  hexNumber,
  isDigit,
  type Meaning,
  type Read,
} from './escapes.ts';

// Each is undone by itself: what is an escape in one of them is plain text in the others.

const [BACKSLASH, LF, CR] = [0x5c, 0x0a, 0x0d];
const [LOWER_N, LOWER_R] = [0x6e, 0x72];

/** `=6D`, and a line broken after `=`, even where a text inside another writes the break as `\n`. */
const quotedPrintable: Read = (bytes, at, _end, _previous, meaning) => {
  const value = hexNumber(bytes, at + 1, 2);
  if (value !== -1) return meaning.byte(value, 3);
  const to = afterBreak(bytes, at + 1, CR, LOWER_R);
  const end = afterBreak(bytes, to, LF, LOWER_N);
  return end > to ? meaning.nothing(end - at) : 0;
};

/** After this character, or the letter that stands for it behind backslashes; `at` when it is neither. */
function afterBreak(bytes: Uint8Array, at: number, plain: number, letter: number): number {
  if (bytes[at] === plain) return at + 1;
  const to = afterBackslashes(bytes, at);
  return to > at && bytes[to] === letter ? to + 1 : at;
}

/** A text inside another doubles them. */
const MOST_BACKSLASHES = 4;

function afterBackslashes(bytes: Uint8Array, at: number): number {
  let to = at;
  while (to < at + MOST_BACKSLASHES && bytes[to] === BACKSLASH) to += 1;
  return to;
}

/** Stands for what is before a space that belongs to an escape. */
const IN_ESCAPE = 0x101;

/** `\6d `, with a space that belongs to it. */
const css: Read = (bytes, at, _end, previous, meaning) => {
  if (bytes[at] !== BACKSLASH) return previous === IN_ESCAPE ? meaning.nothing(1) : 0;
  const from = afterBackslashes(bytes, at);
  const digits = hexDigits(bytes, from, 6);
  if (digits === 0) return 0;
  const width = meaning.character(hexNumber(bytes, from, digits), from + digits - at);
  meaning.last = IN_ESCAPE;
  return width;
};

const isOctal = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x37;

/** `\155`. */
const octal: Read = (bytes, at, _end, _previous, meaning) => {
  const from = afterBackslashes(bytes, at);
  let [value, count] = [0, 0];
  while (count < 3 && isOctal(bytes[from + count])) value = value * 8 + (bytes[from + count++] ?? 0) - 0x30;
  return count < 2 || value > 0xff ? 0 : meaning.byte(value, from + count - at);
};

/** Bytes in a list stand apart by a few of these. */
const BETWEEN = ' ,;:-_|\t\r\n';
const SEPARATORS = beginning(Buffer.from(BETWEEN));
const MOST_SEPARATORS = 4;

/** Stands for what is before a byte that follows one of a list. */
const IN_LIST = 0x100;

/** What stands between two bytes of a list. */
function separators(bytes: Uint8Array, at: number, previous: number, meaning: Meaning): number {
  if (previous !== IN_LIST) return 0;
  let to = at;
  while (to < at + MOST_SEPARATORS && SEPARATORS[bytes[to] ?? 0x61] === 1) to += 1;
  return hexAt(bytes, to) === -1 ? 0 : meaning.nothing(to - at, IN_LIST);
}

const LETTERS = beginning(Buffer.from('0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'));

/** `73 6b 2d`, `73:6b:2d`, `0x73, 0x6b`. */
const hexList: Read = (bytes, at, _end, previous, meaning) => {
  if (hexAt(bytes, at) === -1) return separators(bytes, at, previous, meaning);
  if (LETTERS[previous] === 1) return 0;
  const from = bytes[at] === 0x30 && ((bytes[at + 1] ?? 0) | 0x20) === 0x78 ? at + 2 : at;
  const value = hexNumber(bytes, from, 2);
  if (value === -1 || LETTERS[bytes[from + 2] ?? 0] === 1) return 0;
  return meaning.byte(value, from + 2 - at, IN_LIST);
};

/** `115, 107, 45`. */
const decimalList: Read = (bytes, at, _end, previous, meaning) => {
  if (!isDigit(bytes[at])) return separators(bytes, at, previous, meaning);
  if (isDigit(previous)) return 0;
  let [value, count] = [0, 0];
  while (count < 4 && isDigit(bytes[at + count])) value = value * 10 + (bytes[at + count++] ?? 0) - 0x30;
  return count < 2 || count > 3 || value > 0xff ? 0 : meaning.byte(value, count, IN_LIST);
};

/** Escapes below which nothing is undone: a part of a secret takes as many. */
const FEWEST = 6;

/** Whole texts, if they hold enough escapes. */
function among(pattern: RegExp, begins: string, read: Read, fewest = FEWEST): Dialect {
  const occurs = (latin1: string): boolean => {
    pattern.lastIndex = 0;
    for (let count = 0; count < fewest; count += 1) if (!pattern.test(latin1)) return false;
    return true;
  };
  const places: Dialect['places'] = (latin1) => (occurs(latin1) ? [[0, latin1.length]] : []);
  return { begins: beginning(Buffer.from(begins)), read, places };
}

/** Only the lists: nothing stands between their bytes. */
function listed(pattern: RegExp, begins: string, read: Read): Dialect {
  function* places(latin1: string): Generator<readonly [number, number]> {
    for (const { index, 0: list } of latin1.matchAll(pattern)) yield [index, index + list.length];
  }
  return { begins: beginning(Buffer.from(begins + BETWEEN)), read, places };
}

/** Lists of at least six bytes. */
const HEX_LIST = /(?<![\da-z])(?:0x)?[\da-f]{2}(?:[ ,;:\-_|\t\r\n]{1,4}(?:0x)?[\da-f]{2}){5,}(?![\da-z])/gi;
const DECIMAL_LIST = /(?<!\d)\d{2,3}(?:[ ,;:\-_|\t\r\n]{1,4}\d{2,3}){5,}(?!\d)/g;

/** Quoted-printable, CSS, octal, and bytes in a list. */
export const RARE: readonly Dialect[] = [
  among(/=(?:[\da-f]{2}|\r?\n|\\+[rn])/gi, '=', quotedPrintable, 1),
  among(/\\[\da-f]{1,6}/gi, '\\ \t\r\n', css),
  among(/\\[0-7]{2,3}/g, '\\', octal),
  listed(HEX_LIST, '0123456789abcdefABCDEF', hexList),
  listed(DECIMAL_LIST, '0123456789', decimalList),
];
