/** `: did you mean a, b or c?` for the end of a message, or nothing when no name is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const names = nearestNames(word, known);
  const last = names.at(-1);
  if (last === undefined) return '';
  const others = names.slice(0, -1).join(', ');
  return `: did you mean ${others === '' ? last : `${others} or ${last}`}?`;
}

/** Longer ones are no misspelt names, and comparing them would take for ever. */
const LONGEST = 200;

/** The known names that a mistyped word most likely means: at most three, the nearest first. */
export function nearestNames(word: string, known: readonly string[]): readonly string[] {
  if (word.length > LONGEST) return [];
  const wanted = word.toLowerCase();
  const near = [...new Set(known)].map((name) => ({
    name,
    distance: editDistance(wanted, name.toLowerCase()),
  }));
  return near
    .filter(({ name, distance }) => distance <= Math.ceil(Math.max(wanted.length, name.length) * 0.4))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** The Levenshtein distance: how many single-character edits turn one word into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [i, letter] of Array.from(from).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(to).entries()) {
      const substituted = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(substituted, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
