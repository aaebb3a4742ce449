import type { FailureKind } from '../model/summary.ts';
import type { Failure } from '../model/tally.ts';

/** Every kind of failure, in the order in which each was first seen. */
export function failureKinds(failures: readonly Failure[]): readonly FailureKind[] {
  return byKind(failures).flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const { code, path } = first.finding;
    return { code, ...(path !== undefined && { path }), trials: 1 + more.length };
  });
}

/** The first failure of each kind: more of the same kind say nothing new. */
export function firstOfEachKind(failures: readonly Failure[]): readonly Failure[] {
  return byKind(failures).flatMap(([first]) => first ?? []);
}

function byKind(failures: readonly Failure[]): readonly (readonly Failure[])[] {
  const kinds = Map.groupBy(failures, ({ finding }) => `${finding.code} ${finding.path ?? ''}`);
  return [...kinds.values()];
}
