import { chatsAtService, isAfter } from './chats.ts';
import { perRequest, type Timeline, type TimelineRequest } from './timeline.ts';

/** How many chats were in flight at the service when one arrived, itself included. */
export const inFlightAt = perRequest((timeline, { arrivedAt: at }) => {
  const chats = chatsAtService(timeline);
  return chats.filter(({ arrivedAt, knownAt = Infinity }) => arrivedAt <= at && knownAt > at).length;
});

/** The most that were in flight when one of these arrived. */
export function mostInFlight(timeline: Timeline, isOfThese: (chat: TimelineRequest) => boolean): number {
  return Math.max(
    0,
    ...chatsAtService(timeline)
      .filter(isOfThese)
      .map((chat) => inFlightAt(timeline, chat)),
  );
}

/** Whether neither of two requests arrived after the answer to the other. */
export function isBeside(one: TimelineRequest, other: TimelineRequest): boolean {
  return one !== other && !isAfter(one, other) && !isAfter(other, one);
}

/** When an answer left to a chat that had arrived after another answer: until then requests may have crossed that. */
const crossingEnd = perRequest((timeline, known) => {
  const chats = chatsAtService(timeline);
  if (!chats.some((chat) => isBeside(chat, known))) return known.knownAt ?? Infinity;
  const later = chats.filter((chat) => isAfter(chat, known));
  return later.reduce((first, { knownAt = Infinity }) => Math.min(first, knownAt), Infinity);
});

/**
 * Whether a request may have left before the caller read an answer: others were in flight beside the answered one, and
 * none that the caller sent since had been answered. It says nothing of a request for the same work.
 */
export function mayHaveCrossed(
  timeline: Timeline,
  { arrivedAt }: TimelineRequest,
  known: TimelineRequest,
): boolean {
  return arrivedAt <= crossingEnd(timeline, known);
}
