/** One draw of each in turn: should a cap end the run early, every stimulus has had its most telling draws. */
export function inTurns<T>(plans: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...plans.map((plan) => plan.length));
  return Array.from({ length: longest }, (_, i) => plans.flatMap((plan) => plan[i] ?? [])).flat();
}
