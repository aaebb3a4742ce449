import { chatsAtService, isAfter } from './chats.ts';
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

/** When the first answer left to a chat that had arrived after another answer. */
function nextAnswerAt(timeline: Timeline, known: TimelineRequest): number {
  const later = chatsAtService(timeline).filter((chat) => isAfter(chat, known));
  return later.reduce((first, { knownAt = Infinity }) => Math.min(first, knownAt), Infinity);
}

function isBeside(one: TimelineRequest, other: TimelineRequest): boolean {
  return one !== other && !isAfter(one, other) && !isAfter(other, one);
}

const crossingEnds = perTimeline(() => new WeakMap<TimelineRequest, number>());

function crossingEnd(timeline: Timeline, known: TimelineRequest): number {
  const before = crossingEnds(timeline).get(known);
  if (before !== undefined) return before;
  const hadOthers = chatsAtService(timeline).some((chat) => isBeside(chat, known));
  const end = hadOthers ? nextAnswerAt(timeline, known) : (known.knownAt ?? Infinity);
  crossingEnds(timeline).set(known, end);
  return end;
}

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

/** The chats for the same work that arrived after the answer to one had left. */
export function sentAfter(timeline: Timeline, known: TimelineRequest): readonly TimelineRequest[] {
  return chatsForWorkOf(timeline, known).filter((chat) => isAfter(chat, known));
}

/** The chats for the same work that were in flight together with one. */
export function sentBeside(timeline: Timeline, known: TimelineRequest): readonly TimelineRequest[] {
  return chatsForWorkOf(timeline, known).filter((chat) => isBeside(chat, known));
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
