import { isDeepStrictEqual } from 'node:util';
import { chatOf } from './seen-chats.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

/** The ID of the wish that a request is for: the last in its text, as others may be history. Undefined for none. */
export function itemOf({ items: wishes }: Timeline, { body }: TimelineRequest): string | undefined {
  const places = wishes.map(({ id, begins }) => ({ id, at: body.lastIndexOf(begins) }));
  const last = places.reduce((best, place) => (place.at > best.at ? place : best), { id: '', at: -1 });
  return last.at === -1 ? undefined : last.id;
}

/**
 * How it shows that two requests ask for the same work: they bear one Idempotency-Key; they are for one wish; or, of
 * a caller with wishes of its own, they ask with the same messages, whatever else differs.
 */
export function sameWork(
  timeline: Timeline,
  one: TimelineRequest,
  other: TimelineRequest,
): 'key' | 'wish' | 'messages' | undefined {
  if (one.idempotencyKey !== undefined && one.idempotencyKey === other.idempotencyKey) return 'key';
  const wish = itemOf(timeline, one);
  if (wish !== undefined) return wish === itemOf(timeline, other) ? 'wish' : undefined;
  const messages = chatOf(one)?.['messages'];
  if (messages === undefined) return one.body === other.body ? 'messages' : undefined;
  return isDeepStrictEqual(messages, chatOf(other)?.['messages']) ? 'messages' : undefined;
}
