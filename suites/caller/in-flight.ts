import type { TimelineRequest } from './timeline.ts';

function isUnderWay({ arrivedAt, knownAt }: TimelineRequest, at: number): boolean {
  return arrivedAt <= at && (knownAt === undefined || knownAt > at);
}

/** The most requests that were under way at once when one of these arrived, among all. */
export function mostInFlight(arrivals: readonly TimelineRequest[], all: readonly TimelineRequest[]): number {
  const counts = arrivals.map(({ arrivedAt }) => all.filter((one) => isUnderWay(one, arrivedAt)).length);
  return Math.max(0, ...counts);
}
