import type { StreamText } from '../kit/reading/find-stream-text.ts';

/** Nothing can be told from streams whose whole text is there sooner. */
export const QUICKEST_TELLING_MS = 60;

/** How the text of one stream arrived; milliseconds. */
export interface Delivery {
  /** From the request to the last piece of text. */
  readonly duration: number;
  /** From the first piece of text to the last. */
  readonly spread: number;
}

/** Undefined when the stream bore no text. */
export function deliveryOf({ bearers }: StreamText): Delivery | undefined {
  const [first] = bearers;
  const last = bearers.at(-1);
  if (first === undefined || last === undefined) return undefined;
  return { duration: last.at, spread: last.at - first.at };
}

/** The part of the duration during which text arrived: next to nothing when it was buffered. */
export function shareOf({ duration, spread }: Delivery): number {
  return duration > 0 ? spread / duration : 0;
}
