/** Where a text holds a secret, or a part of one. */
export interface SecretMatch {
  readonly from: number;
  readonly to: number;
  /** Whether it is the whole secret, letter for letter. */
  readonly isWhole: boolean;
}

/** Finds one form of a secret in texts. */
export interface SecretFinder {
  /** Pieces of the secret, in lower case: a text without any of them has no match. */
  readonly anchors: readonly string[];
  /** Every match in a text; `lower` is the text in lower case. */
  readonly find: (text: string, lower: string) => readonly SecretMatch[];
}

/** Shorter ones occur in texts without a secret. */
const SHORTEST_MATCH = 8;

/** A match of this length is no coincidence, even if it is a small part of the secret. */
const CERTAIN_MATCH = 12;

/**
 * Finds one form of a secret. A match is the secret in any case, or at least a third of it in one piece, or twelve
 * characters: an answer may repeat half a key, or truncate it.
 */
export function secretFinder(secret: string): SecretFinder {
  const wanted = secret.toLowerCase();
  const least = Math.min(
    wanted.length,
    Math.max(SHORTEST_MATCH, Math.min(CERTAIN_MATCH, Math.floor(wanted.length / 3))),
  );
  // Every piece of that length contains one of these, wherever it begins.
  const step = Math.floor((least + 1) / 2);
  const places = Array.from({ length: Math.floor(wanted.length / step) }, (_, i) => i * step);
  return {
    anchors: places.map((place) => wanted.slice(place, place + step)),
    find: (text, lower) => {
      const matches = places.flatMap((place) => matchesAt(lower, wanted, place, step));
      return matches
        .filter(({ from, to }) => to - from >= least)
        .map(({ from, to }) => ({ from, to, isWhole: text.slice(from, to) === secret }));
    },
  };
}

type Range = Pick<SecretMatch, 'from' | 'to'>;

/** Where the text has the piece of the secret that begins at `place`, extended as far as both agree. */
function matchesAt(text: string, secret: string, place: number, length: number): Range[] {
  const piece = secret.slice(place, place + length);
  const ranges: Range[] = [];
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + 1)) {
    let [before, after] = [0, length];
    while (before < place && at > before && text[at - before - 1] === secret[place - before - 1]) before += 1;
    while (place + after < secret.length && text[at + after] === secret[place + after]) after += 1;
    ranges.push({ from: at - before, to: at + after });
  }
  return ranges;
}

/** Shorter ones occur in texts without a secret. */
const SHORTEST_FORM = 6;

/** The part of the base64 of a text with the secret that does not depend on the text around it, at each offset. */
function base64Cores(secret: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(' '.repeat(offset) + secret).toString('base64');
    const start = Math.ceil((offset * 4) / 3);
    const whole = Math.floor(((offset + Buffer.byteLength(secret)) * 4) / 3);
    return encoded.slice(start, whole);
  });
}

/**
 * The forms in which an answer might echo a secret once its escapes are undone: plain (as text, and as the bytes of
 * UTF-8), backwards, base64 of either alphabet at any offset, hexadecimal.
 */
export function secretForms(secret: string): readonly string[] {
  const cores = base64Cores(secret);
  const urlSafe = cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  const bytes = Buffer.from(secret);
  const backwards = Array.from(secret).toReversed().join('');
  const hex = bytes.toString('hex');
  const forms = [secret, bytes.toString('latin1'), ...cores, ...urlSafe, hex, hex.toUpperCase(), backwards];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_FORM);
}
