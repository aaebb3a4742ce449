import type { ClockChoice } from './world.ts';

/** Milliseconds since 1970. */
export type Clock = () => number;

/** The clock of a world. The fixed one stands still, so that equal requests get equal bytes on any day. */
export function createClock(choice: ClockChoice): Clock {
  if (choice.kind === 'real') return Date.now;
  const instant = Date.parse(choice.at);
  return () => instant;
}

/** The Date header (RFC 9110), made anew once a second at most. */
export function createDateHeader(clock: Clock): () => string {
  let second = NaN;
  let text = '';
  return () => {
    const now = Math.floor(clock() / 1000);
    if (now !== second) {
      second = now;
      text = new Date(now * 1000).toUTCString();
    }
    return text;
  };
}
