/**
 * Shares of a whole number that add up to it, in proportion to these weights; one at least where there is a weight and
 * the whole has enough. Infinity is shared by all.
 */
export function shareOut(whole: number, weights: readonly number[]): readonly number[] {
  if (whole === Infinity) return weights.map(() => Infinity);
  const total = sumOf(weights);
  if (total === 0)
    return shareOut(
      whole,
      weights.map(() => 1),
    );
  const least: number = weights.filter((weight) => weight > 0).length <= whole ? 1 : 0;
  const first = weights.map((weight): number => (weight > 0 ? least : 0));
  const rest = whole - sumOf(first);
  let passed = 0;
  return weights.map((weight, i) => {
    const before = Math.floor((rest * passed) / total);
    passed += weight;
    return (first[i] ?? 0) + Math.floor((rest * passed) / total) - before;
  });
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
