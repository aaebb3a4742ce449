/**
 * Each of some with each of others, by turns: in a first round every one of them has had a partner, and the partners
 * follow each other; each later round moves them on by one.
 */
export function pairsByTurns<A, B>(
  some: readonly A[],
  others: readonly B[],
): readonly (readonly [one: A, other: B])[] {
  return others.flatMap((_, round) =>
    some.flatMap((one, i): readonly (readonly [A, B])[] => {
      const at = (i + round) % others.length;
      return others.slice(at, at + 1).map((other) => [one, other]);
    }),
  );
}
