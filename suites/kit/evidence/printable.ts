/**
 * Makes text from the target safe to print: what moves the cursor, changes colours, turns the direction of writing or
 * is invisible becomes an escape. Keeps at most `longest` UTF-16 units, and says how many it left out.
 */
export function printable(text: string, longest = 600): string {
  const kept = truncate(text, longest);
  // Control, format, lone surrogate, line separator, paragraph separator, and noncharacter.
  const visible = kept.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{NChar}]/gu, escaped);
  return kept.length === text.length ? visible : `${visible}… (${text.length - kept.length} more characters)`;
}

const SHORT: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};

/** As JSON escapes, so that JSON text keeps its meaning. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  const hex = units.map((unit) => String.raw`\u${unit.toString(16).padStart(4, '0')}`);
  return SHORT[character] ?? hex.join('');
}

/** The beginning of a text, of at most `longest` UTF-16 units; splits no character. */
export function truncate(text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}
