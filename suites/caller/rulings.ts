import { type Ruling, violated } from '../kit/model/ruling.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

/** A violation that shows in one request of the timeline. */
export function violatedBy(
  { requests }: Timeline,
  request: TimelineRequest,
  code: string,
  expected: string,
  actual: string,
): Ruling {
  const ruling = violated(code, expected, actual);
  if (ruling.kind !== 'violated') return ruling;
  return { ...ruling, finding: { ...ruling.finding, exchange: requests.indexOf(request) } };
}

/** How findings name a request: `#3`. */
export function numbered({ n }: TimelineRequest): string {
  return `#${n}`;
}
