import { sameWork } from './same-work.ts';
import { chatsAtService, everyChat, isAfter } from './seen-chats.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

/** Closer together than that requests were sent at once, and none of them because another was given up. */
const AT_ONCE_MS = 100;

/** A request whose answer was held back, and one for the same work that came while it was. */
export interface SentWhileHeld {
  readonly held: TimelineRequest;
  readonly again: TimelineRequest;
  readonly how: 'key' | 'wish' | 'messages';
}

/**
 * The work that was sent again while its answer was held back: who gives up waiting need not close the connection, and
 * who does not wait has given up.
 */
export function sentWhileHeld(timeline: Timeline): readonly SentWhileHeld[] {
  const held = chatsAtService(timeline).filter(({ isHeld: heldBack }) => heldBack);
  return held.flatMap((one) =>
    everyChat(timeline).flatMap((again) => {
      if (again.arrivedAt <= one.arrivedAt + AT_ONCE_MS || isAfter(again, one)) return [];
      const how = sameWork(timeline, one, again);
      return how === undefined ? [] : [{ held: one, again, how }];
    }),
  );
}
