import { WORK_HEADER } from './chats.ts';
import { type Timeline, WATCHED } from './timeline.ts';

// What would let the judge see more: a caller that was only watched was given no variables, and is judged by no options.

function isWatched({ scenario }: Timeline): boolean {
  return scenario === WATCHED.scenario;
}

function writesRecords({ records, earlier }: Timeline): boolean {
  return records !== undefined || earlier.some((one) => one.records !== undefined);
}

/** How a caller shows which work a request is for. */
export function markHint(timeline: Timeline): string {
  const mark = `mark what a request is for with the header ${WORK_HEADER}`;
  return isWatched(timeline) ? mark : `let the caller do CHAT_TASK, or ${mark}`;
}

/** How a caller shows what it takes a lost answer for; undefined: nothing would. */
export function recordHint(timeline: Timeline): string | undefined {
  if (isWatched(timeline)) return undefined;
  return writesRecords(timeline)
    ? 'let the driver record the lost requests too, each with its Idempotency-Key'
    : 'only a driver that writes CHAT_RECORD shows it';
}

/** What to do, or to record it where that is possible and not done. */
export function orRecord(what: string, timeline: Timeline): string {
  return isWatched(timeline) || writesRecords(timeline) ? what : `${what}, or write CHAT_RECORD`;
}

/** How a caller shows when it gives up. */
export function timeoutHint(timeline: Timeline): string {
  if (isWatched(timeline))
    return 'let the client close the connection when its timeout is over, and give the judge this timeoutMs';
  return 'to see it wait so long, use --real-time, or let the client take its timeout from CHAT_TIMEOUT_MS and close the connection';
}

/** What gives a caller that was stopped the time to end; undefined: it ended. */
export function deadlineHint({ end }: Timeline): string | undefined {
  return end.kind === 'stopped' ? 'let the caller end, or give it more time with --deadline' : undefined;
}
