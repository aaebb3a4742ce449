import type { Timeline } from './timeline.ts';

/** What a timeline leads to, computed once for each: a judge that is asked often looks at the same thousands of requests. */
export function perTimeline<T>(compute: (timeline: Timeline) => T): (timeline: Timeline) => T {
  const known = new WeakMap<Timeline, { readonly value: T }>();
  return (timeline) => {
    const found = known.get(timeline);
    if (found !== undefined) return found.value;
    const value = compute(timeline);
    known.set(timeline, { value });
    return value;
  };
}
