import { type Ruling, violated } from '../kit/model/ruling.ts';
import type { SeenRequest, Timeline } from './timeline.ts';

/** A violation that shows in one request of the timeline. */
export function violatedBy(
  { requests }: Timeline,
  request: SeenRequest,
  code: string,
  expected: string,
  actual: string,
): Ruling {
  const ruling = violated(code, expected, actual);
  if (ruling.kind !== 'violated') return ruling;
  return { ...ruling, finding: { ...ruling.finding, exchange: requests.indexOf(request) } };
}

/** How findings name a request: `#3`. */
export function numbered({ n }: SeenRequest): string {
  return `#${n}`;
}
