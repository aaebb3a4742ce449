/** How much of a secret a match is: all of it letter for letter, all of it in another case, or a piece of it. */
export type MatchKind = 'whole' | 'other-case' | 'part';

/** Hears of the secret with this number in `[from, to)`. */
export type OnMatch = (name: number, from: number, to: number, kind: MatchKind) => void;

/** One way in which a secret may be written. */
export interface SecretForm {
  /** The number of its secret. */
  readonly name: number;
  readonly bytes: Uint8Array;
  readonly lower: Uint8Array;
  /** A shorter piece of it is no match. */
  readonly least: number;
}

const LOWER = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte,
);

/** With the letters of ASCII in lower case. */
export function lowered(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => LOWER[byte] ?? 0);
}

/** A window of a form. */
interface Window {
  readonly form: SecretForm;
  readonly place: number;
  /** How much of the form from this place on stands in a text that is known anyway. */
  readonly known: number;
}

const FACTOR = 0x01_00_01_93;

/** Equal windows of forms beyond this many are those of a secret that repeats itself. */
const MOST_ALIKE = 8;

/** Four bytes of a form tell whether a window may be there: most others are skipped. */
const GRAM = 4;

/** Bits of the hash of a gram: of a hundred other grams a few have that of one in a form. */
const GRAM_BITS = 18;

/** Of four bytes, whatever the case of letters. */
function gramAt(bytes: Uint8Array, at: number): number {
  const word =
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24) |
    0x20_20_20_20;
  return Math.imul(word, 0x9e_37_79_b1) >>> (32 - GRAM_BITS);
}

/** Every window of some forms, found by their grams: the work is linear in the bytes, and most of them are skipped. */
export class Windows {
  readonly #size: number;
  readonly #byHash = new Map<number, Window[]>();
  /** 1 for each gram that a form holds. */
  readonly #grams = new Uint8Array(1 << GRAM_BITS);
  /** 1 for the first bits of each hash, since asking the map takes longer. */
  readonly #hashes = new Uint8Array(1 << GRAM_BITS);

  constructor(forms: readonly SecretForm[], known: string) {
    const size = Math.min(...forms.map(({ least }) => least));
    this.#size = size;
    for (const form of forms) {
      for (let place = 0; place + size <= form.lower.length; place += 1) this.#add(form, place, known);
      for (let at = 0; at + GRAM <= form.lower.length; at += 1) this.#grams[gramAt(form.lower, at)] = 1;
    }
  }

  #add(form: SecretForm, place: number, known: string): void {
    const bytes = form.lower.subarray(place, place + this.#size);
    const hash = this.#hash(bytes, 0);
    const alike = this.#byHash.get(hash >>> 2) ?? [];
    if (alike.length < MOST_ALIKE) alike.push({ form, place, known: knownLength(form, place, known) });
    this.#byHash.set(hash >>> 2, alike);
    this.#hashes[hash >>> (32 - GRAM_BITS)] = 1;
  }

  #hash(bytes: Uint8Array, from: number): number {
    let hash = 0;
    for (let i = from; i < from + this.#size; i += 1)
      hash = (Math.imul(hash, FACTOR) + (LOWER[bytes[i] ?? 0] ?? 0)) | 0;
    return hash;
  }

  /** Reports the longest match from each place on, and goes on where it ends: no byte is compared more than a few times. */
  find(bytes: Uint8Array, length: number, onMatch: OnMatch): void {
    const [size, grams] = [this.#size, this.#grams];
    for (let end = size; end <= length;) {
      // No window that holds a gram of no form is one of theirs.
      if (grams[gramAt(bytes, end - GRAM)] === 0) end += size - GRAM + 1;
      else if (grams[gramAt(bytes, end - size)] === 0) end += 1;
      else end = Math.max(end, this.#matchEnd(bytes, end - size, length, onMatch)) + 1;
    }
  }

  /** The end of the longest match that begins at `from`; 0 when there is none. */
  #matchEnd(bytes: Uint8Array, from: number, length: number, onMatch: OnMatch): number {
    const hash = this.#hash(bytes, from);
    if (this.#hashes[hash >>> (32 - GRAM_BITS)] === 0) return 0;
    let longest: Window | undefined;
    let end = 0;
    // A whole secret may also be the beginning of another one.
    let isWhole = false;
    for (const window of this.#byHash.get(hash >>> 2) ?? []) {
      const to = from + agreement(window, bytes, from, length);
      const wholly = window.place === 0 && to - from === window.form.bytes.length;
      if (to < from + window.form.least || (isWhole && !wholly)) continue;
      if (to > end || wholly !== isWhole) [longest, end, isWhole] = [window, to, wholly];
    }
    if (longest === undefined) return 0;
    const kind = kindOf(longest, bytes, from, end);
    // A whole one may begin at any byte of such a run.
    if (kind === 'part' && isMonotonous(bytes, from, end)) return 0;
    const tells = kind !== 'part' || end - from > longest.known;
    if (tells) onMatch(longest.form.name, from, end, kind);
    return end;
  }
}

function knownLength({ lower }: SecretForm, place: number, known: string): number {
  const text = Buffer.from(lower.subarray(place)).toString('latin1');
  let length = 0;
  while (length < text.length && known.includes(text.slice(0, length + 1))) length += 1;
  return length;
}

/** How many bytes from `from` on are those of the form. */
function agreement(
  { form: { lower }, place }: Window,
  bytes: Uint8Array,
  from: number,
  length: number,
): number {
  const most = Math.min(lower.length - place, length - from);
  let agreed = 0;
  while (agreed < most && LOWER[bytes[from + agreed] ?? 0] === lower[place + agreed]) agreed += 1;
  return agreed;
}

/** A piece of fewer different characters, such as a row of zeros, is in many texts, and tells nothing of a secret. */
const FEWEST_DIFFERENT = 4;

function isMonotonous(bytes: Uint8Array, from: number, to: number): boolean {
  const different = new Set<number>();
  for (let i = from; i < to && different.size < FEWEST_DIFFERENT; i += 1)
    different.add(LOWER[bytes[i] ?? 0] ?? 0);
  return different.size < FEWEST_DIFFERENT;
}

function kindOf({ form, place }: Window, bytes: Uint8Array, from: number, to: number): MatchKind {
  if (place !== 0 || to - from !== form.bytes.length) return 'part';
  for (let i = from; i < to; i += 1) if (bytes[i] !== form.bytes[i - from]) return 'other-case';
  return 'whole';
}
