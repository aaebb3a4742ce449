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

/** Bits of a hash by which a window is looked for: of a thousand other texts a few have those of a window. */
const FILTER_BITS = 20;

/** Every window of some forms, found by a hash that rolls over the bytes: the work is linear in them. */
export class Windows {
  readonly #size: number;
  readonly #byHash = new Map<number, Window[]>();
  /** Whether any window has a hash that begins with these bits. */
  readonly #filter = new Uint8Array(1 << FILTER_BITS);
  /** The weight of the byte that leaves a window. */
  readonly #leaving: number;

  constructor(forms: readonly SecretForm[], known: string) {
    const size = Math.min(...forms.map(({ least }) => least));
    this.#size = size;
    let weight = 1;
    for (let i = 1; i < size; i += 1) weight = Math.imul(weight, FACTOR);
    this.#leaving = weight;
    for (const form of forms)
      for (let place = 0; place + size <= form.lower.length; place += 1) this.#add(form, place, known);
  }

  #add(form: SecretForm, place: number, known: string): void {
    const bytes = form.lower.subarray(place, place + this.#size);
    const hash = this.#hash(bytes, 0);
    const alike = this.#byHash.get(hash >>> 2) ?? [];
    if (alike.length < MOST_ALIKE) alike.push({ form, place, known: knownLength(form, place, known) });
    this.#byHash.set(hash >>> 2, alike);
    this.#filter[hash >>> (32 - FILTER_BITS)] = 1;
  }

  #hash(bytes: Uint8Array, from: number): number {
    let hash = 0;
    for (let i = from; i < from + this.#size; i += 1)
      hash = (Math.imul(hash, FACTOR) + (LOWER[bytes[i] ?? 0] ?? 0)) | 0;
    return hash;
  }

  /** Reports the longest match from each place on, and goes on where it ends: no byte is compared more than a few times. */
  find(bytes: Uint8Array, length: number, onMatch: OnMatch): void {
    const [size, filter, leaving] = [this.#size, this.#filter, this.#leaving];
    if (length < size) return;
    let hash = this.#hash(bytes, 0);
    for (let end = size; ; end += 1) {
      if (filter[hash >>> (32 - FILTER_BITS)] === 1) {
        const reached = this.#matchEnd(hash, bytes, end - size, length, onMatch);
        if (reached > end) hash = this.#hash(bytes, (end = reached) - size);
      }
      if (end >= length) return;
      const left = LOWER[bytes[end - size] ?? 0] ?? 0;
      hash = (Math.imul(hash - Math.imul(left, leaving), FACTOR) + (LOWER[bytes[end] ?? 0] ?? 0)) | 0;
    }
  }

  /** The end of the longest match that begins at `from`; 0 when there is none. */
  #matchEnd(hash: number, bytes: Uint8Array, from: number, length: number, onMatch: OnMatch): number {
    let longest: Window | undefined;
    let end = 0;
    for (const window of this.#byHash.get(hash >>> 2) ?? []) {
      const to = from + agreement(window, bytes, from, length);
      if (to >= from + window.form.least && to > end) [longest, end] = [window, to];
    }
    if (longest === undefined) return 0;
    const kind = kindOf(longest, bytes, from, end);
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

function kindOf({ form, place }: Window, bytes: Uint8Array, from: number, to: number): MatchKind {
  if (place !== 0 || to - from !== form.bytes.length) return 'part';
  return form.bytes.every((byte, i) => bytes[from + i] === byte) ? 'whole' : 'other-case';
}
