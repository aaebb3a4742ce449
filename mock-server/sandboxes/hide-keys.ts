const LONGEST = 256;
const HIDDEN = '(a key)';

/**
 * A text of the caller's with every key of the world taken out, at most 256 code units long. One that holds a key
 * only once it is percent-decoded is not shown at all.
 */
export function hideKeys(keys: readonly string[], text: string): string {
  if (keys.some((key) => decoded(text).includes(key) && !text.includes(key))) return HIDDEN;
  const safe = keys.reduce((rest, key) => rest.replaceAll(key, HIDDEN), text);
  return safe.slice(0, LONGEST).toWellFormed();
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  return text.replaceAll(/%[0-9a-f]{2}/gi, (code) =>
    String.fromCodePoint(Number.parseInt(code.slice(1), 16)),
  );
}
