import { notExercised, type Ruling } from '../kit/model/ruling.ts';
import { lookupsBetween } from './looks.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

/** What can be seen from outside of whether a caller kept the key of a request that failed. */
export type KeptTrace = 'kept' | 'not-kept' | 'unseen' | 'no-key';

function isPrinted({ end }: Timeline, key: string): boolean {
  return end.kind !== 'watched' && end.output.includes(key);
}

/** A key was kept when its request was looked up with it, or it was written down or printed. */
export function keptTrace(timeline: Timeline, request: TimelineRequest): KeptTrace {
  const { idempotencyKey: key } = request;
  if (key === undefined || key === '') return 'no-key';
  if (lookupsBetween(timeline, request, request.arrivedAt).some(({ about }) => about === key)) return 'kept';
  if (isPrinted(timeline, key)) return 'kept';
  const { records } = timeline;
  if (records?.some(({ idempotencyKey }) => idempotencyKey === key) === true) return 'kept';
  // A driver that wrote nothing at all may have come to grief: that is not the same as having lost a key.
  return records !== undefined && records.length > 0 ? 'not-kept' : 'unseen';
}

/** Why there is no ruling, given what requests left behind that are not all known to be kept. */
export function unseenKeys(traces: readonly KeptTrace[]): Ruling {
  if (traces.includes('unseen')) return notExercised(UNSEEN, UNSEEN_HINT);
  return notExercised('what failed had no Idempotency-Key that could have been kept');
}

const UNSEEN =
  'whether the key was kept cannot be seen from outside: it was not printed, written down or looked up';
const UNSEEN_HINT = 'let the caller print the Idempotency-Key of what failed, or write CHAT_RECORD';
