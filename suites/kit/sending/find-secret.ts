/** A stretch of a text that is a secret, or a part of one. */
export interface SecretMatch {
  readonly from: number;
  readonly to: number;
  /** Whether it is the whole secret, letter for letter. */
  readonly isWhole: boolean;
}

/** Finds one form of a secret in texts. */
export interface SecretFinder {
  /** A few pieces of the secret: a text with none of them holds no trace. */
  readonly anchors: readonly string[];
  /** Every trace in a text, of which `lower` is the lower case. */
  readonly find: (text: string, lower: string) => readonly SecretMatch[];
}

/** What is shorter stands in texts that hold no secret. */
const SHORTEST_TRACE = 8;

/** So much in one piece is never a coincidence, however small a part of a long spelling it is. */
const TELLING_TRACE = 12;

/**
 * Makes the finder of a secret in one of its forms. A trace is the secret in any case, or at least a third of it in one
 * piece, or twelve characters: an answer that repeats half a key, or cuts one short, gives away as much.
 */
export function secretFinder(secret: string): SecretFinder {
  const wanted = secret.toLowerCase();
  const least = Math.min(
    wanted.length,
    Math.max(SHORTEST_TRACE, Math.min(TELLING_TRACE, Math.floor(wanted.length / 3))),
  );
  // Of any piece of that length one of these is a part, wherever the piece begins.
  const step = Math.floor((least + 1) / 2);
  const places = Array.from({ length: Math.floor(wanted.length / step) }, (_, i) => i * step);
  return {
    anchors: places.map((place) => wanted.slice(place, place + step)),
    find: (text, lower) => {
      const traces = places.flatMap((place) => tracesAt(lower, wanted, place, step));
      return traces
        .filter(({ from, to }) => to - from >= least)
        .map(({ from, to }) => ({ from, to, isWhole: text.slice(from, to) === secret }));
    },
  };
}

type Range = Pick<SecretMatch, 'from' | 'to'>;

/** Where the text has the piece of the secret that begins at `place`, with all around it that belongs to the secret. */
function tracesAt(text: string, secret: string, place: number, length: number): Range[] {
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

/** What is shorter stands in texts that hold no secret. */
const SHORTEST = 6;

/** The part of the base64 form of any text holding the secret that does not depend on what stands around it. */
function base64Cores(secret: string): string[] {
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(' '.repeat(offset) + secret).toString('base64');
    const start = Math.ceil((offset * 4) / 3);
    const whole = Math.floor(((offset + Buffer.byteLength(secret)) * 4) / 3);
    return encoded.slice(start, whole);
  });
}

/**
 * The texts by which an answer might give a secret away once its escapes are undone: plain (as text, and as the bytes of
 * UTF-8), backwards, base64 of either alphabet at any offset, hexadecimal.
 */
export function secretForms(secret: string): readonly string[] {
  const cores = base64Cores(secret);
  const urlSafe = cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_'));
  const bytes = Buffer.from(secret);
  const backwards = Array.from(secret).toReversed().join('');
  const hex = bytes.toString('hex');
  const forms = [secret, bytes.toString('latin1'), ...cores, ...urlSafe, hex, hex.toUpperCase(), backwards];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST);
}
