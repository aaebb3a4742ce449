import { isJsonObject } from '../kit/reading/json.ts';
import type { StreamEvent } from '../kit/reading/streams/read-events.ts';
import type { StreamReading } from '../kit/reading/streams/read-stream.ts';

/** Nothing can be told from streams whose whole text is there sooner. */
export const QUICKEST_TELLING_MS = 60;

/** A buffered text crosses any network in a smaller part of the time a model takes. */
export const BUFFERED_SHARE = 0.1;

/** How the result of one stream arrived; milliseconds. */
export interface Delivery {
  /** From the request to the last piece of text. */
  readonly duration: number;
  /** From the first piece of the result to the last piece of text. */
  readonly spread: number;
}

/**
 * Undefined when the stream bore no text. An event with choices is a piece of the result even where it bears no
 * text, such as the one that names the role; what else comes early, such as a comment, is not.
 */
export function deliveryOf({ events, text }: StreamReading): Delivery | undefined {
  const bearers = text?.bearers ?? [];
  const first = events.find((event) => bearers.includes(event) || holdsChoices(event));
  const last = bearers.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return { duration: last.at, spread: last.at - first.at };
}

/** The part of the duration during which the result arrived: next to nothing when it was buffered. */
export function shareOf({ duration, spread }: Delivery): number {
  return duration > 0 ? spread / duration : 0;
}

function holdsChoices({ json }: StreamEvent): boolean {
  return isJsonObject(json) && Array.isArray(json['choices']) && json['choices'].length > 0;
}
