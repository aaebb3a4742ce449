import type { SeenRequest } from './timeline.ts';

function isUnderWay({ arrivedAt, knownAt }: SeenRequest, at: number): boolean {
  return arrivedAt <= at && (knownAt === undefined || knownAt > at);
}

/** The most requests that were under way at once when one of these arrived, among all. */
export function mostUnderWay(arrivals: readonly SeenRequest[], all: readonly SeenRequest[]): number {
  const counts = arrivals.map(({ arrivedAt }) => all.filter((one) => isUnderWay(one, arrivedAt)).length);
  return Math.max(0, ...counts);
}
