import { chatsAtService } from './chats.ts';
import { perTimeline, type Timeline, type TimelineRequest } from './timeline.ts';
import { chatsForWorkOf, sameWork, type SameWork } from './work.ts';

/** How many of the numbers, in ascending order, are at most `limit`. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? Infinity) <= limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** How many chats were in flight at the service when each arrived, itself included. */
const inFlight = perTimeline((timeline): ReadonlyMap<TimelineRequest, number> => {
  const chats = chatsAtService(timeline);
  const arrivals = chats.map(({ arrivedAt }) => arrivedAt).toSorted((one, other) => one - other);
  const ends = chats.flatMap(({ knownAt }) => knownAt ?? []).toSorted((one, other) => one - other);
  return new Map(
    chats.map((chat) => {
      const { arrivedAt } = chat;
      return [chat, countUpTo(arrivals, arrivedAt) - countUpTo(ends, arrivedAt)];
    }),
  );
});

export function inFlightAt(timeline: Timeline, request: TimelineRequest): number {
  return inFlight(timeline).get(request) ?? 0;
}

/** The most that were in flight when one of the requests arrived. */
export function mostInFlight(timeline: Timeline, arrivals: readonly TimelineRequest[]): number {
  return arrivals.reduce((most, one) => Math.max(most, inFlightAt(timeline, one)), 0);
}

/** When a second chat was in flight first; Infinity: never. */
const overlapsFrom = perTimeline((timeline) => {
  const first = chatsAtService(timeline).find((chat) => inFlightAt(timeline, chat) > 1);
  return first?.arrivedAt ?? Infinity;
});

/** A caller with several requests in flight may need so long to read an answer, on a busy machine. */
export const READING_MS = 250;

/**
 * Whether the caller knew the outcome of a request when it sent another. What arrives as soon as the answer has left may
 * have crossed it, unless the caller never had two requests in flight.
 */
export function knew(timeline: Timeline, request: TimelineRequest, { knownAt }: TimelineRequest): boolean {
  if (knownAt === undefined || request.arrivedAt <= knownAt) return false;
  return request.arrivedAt > knownAt + READING_MS || overlapsFrom(timeline) > request.arrivedAt;
}

/** The chats for the same work that a caller sent when it knew the outcome of one. */
export function sentAfter(timeline: Timeline, known: TimelineRequest): readonly TimelineRequest[] {
  const { knownAt = Infinity } = known;
  return chatsForWorkOf(timeline, known).filter(
    (chat) =>
      chat.arrivedAt > knownAt &&
      // A key or an item says that it is the same work; an equal text may be other work, and may have crossed the answer.
      (sameWork(timeline, known, chat) !== 'text' || knew(timeline, chat, known)),
  );
}

/** Requests this close together were sent at once: neither is sent because the caller gave up on the other. */
const AT_ONCE_MS = 100;

/** A request whose answer was held, and one for the same work that arrived meanwhile. */
export interface SentWhileHeld {
  readonly held: TimelineRequest;
  readonly again: TimelineRequest;
  readonly how: SameWork;
}

/** Work that was sent again while its answer was held. A caller may give up without closing the connection. */
export const sentWhileHeld = perTimeline((timeline): readonly SentWhileHeld[] =>
  chatsAtService(timeline)
    .filter(({ isHeld }) => isHeld)
    .flatMap((held) =>
      chatsForWorkOf(timeline, held).flatMap((again) => {
        const { knownAt = Infinity } = held;
        const how = sameWork(timeline, held, again);
        const isMeanwhile = again.arrivedAt > held.arrivedAt + AT_ONCE_MS && again.arrivedAt <= knownAt;
        return isMeanwhile && how !== undefined ? [{ held, again, how }] : [];
      }),
    ),
);
