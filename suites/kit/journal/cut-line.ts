import type { WrittenEntry } from '../model/journal.ts';

// The bodies of answers make nearly all of a large journal. Whoever reads its lines needs few of them, so that a large one
// is cut out of its line before the line becomes text and objects, which would be many times as much to collect.

/** Lines that are no larger are read whole. */
const LARGE = 64 * 1024;

/** Where the text of a body stands in its line, without the quotation marks. */
interface BodyPlace {
  readonly from: number;
  readonly to: number;
  readonly isBase64: boolean;
}

/** The text of a line, without its body where `body` is present. */
export interface CutLine {
  readonly text: string;
  readonly body?: () => Uint8Array;
}

/** Only these hold a body; another may hold anything of that look. */
const WITH_BODY = ['{"type":"sent"', '{"type":"ended"', '{"type":"withheld"'].map((text) =>
  Buffer.from(text),
);

/** Unescaped, as here, this can stand in no text of a line. */
const MARKS = [
  { mark: Buffer.from('"body":{"text":"'), isBase64: false },
  { mark: Buffer.from('"body":{"base64":"'), isBase64: true },
];

/** The bytes are those of one line, and may change once `body` was called. */
export function cutLine(bytes: Buffer): CutLine {
  const place = bytes.length > LARGE ? bodyPlace(bytes) : undefined;
  if (place === undefined) return { text: bytes.toString('utf8') };
  const { from, to, isBase64 } = place;
  return {
    text: bytes.toString('utf8', 0, from) + bytes.toString('utf8', to),
    body: () => (isBase64 ? fromBase64(bytes, from, to) : unescaped(bytes, from, to)),
  };
}

/** What a line says that was read before, or was written by this process. */
export function writtenEntry(bytes: Buffer): WrittenEntry {
  const { text, body } = cutLine(bytes);
  return { entry: JSON.parse(text), ...(body !== undefined && { body: body() }) };
}

function bodyPlace(bytes: Buffer): BodyPlace | undefined {
  if (!WITH_BODY.some((start) => bytes.subarray(0, start.length).equals(start))) return undefined;
  for (const { mark, isBase64 } of MARKS) {
    const at = bytes.indexOf(mark);
    if (at === -1) continue;
    const from = at + mark.length;
    const to = endOfText(bytes, from);
    // What is no JSON is told by whoever reads the line whole.
    if (to !== undefined && to - from > LARGE / 2) return { from, to, isBase64 };
  }
  return undefined;
}

const [QUOTE, BACKSLASH, FIRST_PRINTABLE] = [0x22, 0x5c, 0x20];

/** Where the text of a JSON string ends; undefined when it is not one. */
function endOfText(bytes: Buffer, from: number): number | undefined {
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) return at;
    if (byte < FIRST_PRINTABLE) return undefined;
    if (byte !== BACKSLASH) continue;
    if (unitAt(bytes, at) === undefined) return undefined;
    at += 1;
  }
  return undefined;
}

const ESCAPED: ReadonlyMap<number | undefined, number> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, meant]) => [letter.charCodeAt(0), meant.charCodeAt(0)],
  ),
);
const LETTER_U = 0x75;

/** The UTF-16 unit that an escape stands for; undefined when it is none. */
function unitAt(bytes: Buffer, at: number): number | undefined {
  if (bytes[at + 1] !== LETTER_U) return ESCAPED.get(bytes[at + 1]);
  const digits = bytes.toString('latin1', at + 2, at + 6);
  return /^[\da-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : undefined;
}

function fromBase64(bytes: Buffer, from: number, to: number): Uint8Array {
  return Buffer.from(bytes.toString('latin1', from, to), 'base64');
}

/** The bytes that a JSON string stands for: never more than those of the string. */
function unescaped(bytes: Buffer, from: number, to: number): Uint8Array {
  const body = Buffer.allocUnsafeSlow(to - from);
  let length = 0;
  for (let at = from; at < to;) {
    const byte = bytes[at] ?? 0;
    if (byte !== BACKSLASH) {
      body[length++] = byte;
      at += 1;
    } else if (bytes[at + 1] !== LETTER_U) {
      body[length++] = ESCAPED.get(bytes[at + 1]) ?? 0;
      at += 2;
    } else {
      const units = unitsAt(bytes, at, to);
      length += body.write(units, length);
      at += 6 * units.length;
    }
  }
  return length === body.length ? body : copyOf(body, length);
}

/** A view of the larger buffer would hold all of it. */
function copyOf(bytes: Buffer, length: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(length);
  bytes.copy(copy, 0, 0, length);
  return copy;
}

/** What `\u` escapes that follow each other stand for: two of them may make one character. */
function unitsAt(bytes: Buffer, from: number, to: number): string {
  let units = '';
  for (let at = from; at < to && bytes[at] === BACKSLASH && bytes[at + 1] === LETTER_U; at += 6)
    units += String.fromCharCode(unitAt(bytes, at) ?? 0);
  return units;
}
