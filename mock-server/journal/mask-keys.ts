const LONGEST = 256;
/** What stands in the place of a key. */
export const HIDDEN = '(a key)';

/** A word of the caller, such as a path: without the keys of the world, and cut to 256 code units. */
export function maskedWord(keys: readonly string[], text: string): string {
  return masked(keys, text).slice(0, LONGEST).toWellFormed();
}

/**
 * A text without any of these keys: as they are, in base64 and in hexadecimal. A text that has a key only once percent
 * encoding or the escapes of JSON are read is hidden whole.
 */
export function masked(keys: readonly string[], text: string): string {
  const safe = keys.reduce((rest, key) => (isIn(rest, key) ? withoutKey(rest, key) : rest), text);
  return keys.some((key) => isIn(decoded(safe), key)) ? HIDDEN : safe;
}

function isIn(text: string, key: string): boolean {
  // Every spelling is longer: most words are short, and need no search.
  if (text.length < key.length || key === '') return false;
  return text.includes(key) || spellings(key).some((spelling) => text.includes(spelling));
}

function withoutKey(text: string, key: string): string {
  return [key, ...spellings(key)].reduce((rest, spelling) => rest.replaceAll(spelling, HIDDEN), text);
}

const SHORTEST_SPELLING = 12;
const spelt = new Map<string, readonly string[]>();
const MOST_SPELT = 1000;

/** In hexadecimal, and the part of its base64 that does not depend on what stands around it, at each of three places. */
function spellings(key: string): readonly string[] {
  const known = spelt.get(key);
  if (known !== undefined) return known;
  const bytes = Buffer.from(key);
  const inBase64 = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/={1,2}$/, '');
    return whole.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });
  const all = [bytes.toString('hex'), ...inBase64].filter(({ length }) => length >= SHORTEST_SPELLING);
  if (spelt.size >= MOST_SPELT) spelt.clear();
  spelt.set(key, all);
  return all;
}

/** With percent encoding and JSON's escapes read. */
function decoded(text: string): string {
  const percent = text.includes('%')
    ? text.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) =>
        String.fromCodePoint(Number.parseInt(code, 16)),
      )
    : text;
  if (!percent.includes('\\')) return percent;
  return percent
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\/', '/');
}
