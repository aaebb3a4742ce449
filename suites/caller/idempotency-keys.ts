import { HOLDS, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './judge-caller.ts';
import { chatsAtService, chatsFailedBy, failedChats, isAfter, lookupsBetween } from './observed/chats.ts';
import { numbered, violatedBy } from './observed/evidence.ts';
import type { Timeline, TimelineRequest } from './observed/timeline.ts';
import { isSameAsk } from './observed/work.ts';

/** The finding that a single scenario does not show. */
export const KEY_OF_EARLIER_SCENARIO = 'key-of-an-earlier-scenario';

const EXPECTED = 'an Idempotency-Key that no other request has';

/** A failed request sent again is not a new request: CALL-2 and CALL-6 say whether it may be sent. */
function isRepetition(request: TimelineRequest, first: TimelineRequest): boolean {
  return isSameAsk(request, first) && isAfter(request, first) && first.outcome.kind !== 'served';
}

function judgeReuse(
  timeline: Timeline,
  request: TimelineRequest,
  first: TimelineRequest,
): Ruling | undefined {
  if (isRepetition(request, first)) return undefined;
  const how = request.body === first.body ? 'an equal request' : 'a request with another body';
  return violatedBy(timeline, request, 'key-reused', EXPECTED, `the key of ${how}, ${numbered(first)}`);
}

/** Finds a key of an earlier scenario: one constant key, or a counter that restarts with each process. */
function judgeEarlier(timeline: Timeline, run: readonly Timeline[]): Ruling | undefined {
  const earlier = run.slice(0, Math.max(0, run.indexOf(timeline)));
  for (const other of earlier)
    for (const first of chatsAtService(other)) {
      const again = chatsAtService(timeline).find(
        (chat) =>
          chat.idempotencyKey === first.idempotencyKey &&
          !(chat.body === first.body && first.outcome.kind !== 'served'),
      );
      if (again === undefined) continue;
      const actual = `the key of ${numbered(first)} in ${other.scenario}`;
      return violatedBy(timeline, again, KEY_OF_EARLIER_SCENARIO, EXPECTED, actual);
    }
  return undefined;
}

function judgeFresh(timeline: Timeline, run: readonly Timeline[]): Ruling {
  const chats = chatsAtService(timeline);
  const byKey = new Map<string, TimelineRequest>();
  for (const chat of chats) {
    const { idempotencyKey: key } = chat;
    if (key === undefined || key === '')
      return violatedBy(timeline, chat, 'no-key', EXPECTED, 'no Idempotency-Key');
    const first = byKey.get(key);
    const ruling = first && judgeReuse(timeline, chat, first);
    if (ruling !== undefined) return ruling;
    byKey.set(key, first ?? chat);
  }
  const ruling = judgeEarlier(timeline, run);
  if (ruling !== undefined) return ruling;
  return chats.length === 0 ? notExercised('it sent no chat completion') : HOLDS;
}

export const freshKeyPerRequest: CallerCheck = {
  id: 'fresh-key-per-request',
  clauses: ['IDEM-1'],
  title: 'gives every new request its own Idempotency-Key',
  judge: judgeFresh,
};

/** The signs that a caller kept the key of a failed request. */
type KeyTrace = 'kept' | 'not-kept' | 'unseen' | 'no-key';

/** A key was kept if its request was looked up with it, or if the caller recorded or printed it. */
function traceOf(timeline: Timeline, request: TimelineRequest): KeyTrace {
  const { idempotencyKey: key } = request;
  if (key === undefined || key === '') return 'no-key';
  const { end, records } = timeline;
  const isLookedUp = lookupsBetween(timeline, request, request.arrivedAt).some(({ about }) => about === key);
  const isPrinted = end.kind !== 'watched' && end.output.includes(key);
  const isRecorded = records?.some(({ idempotencyKey }) => idempotencyKey === key) === true;
  if (isLookedUp || isPrinted || isRecorded) return 'kept';
  // A driver that recorded nothing at all may have crashed, which is not the same as losing a key.
  return records !== undefined && records.length > 0 ? 'not-kept' : 'unseen';
}

const UNSEEN = 'the caller did not print, record or look up the key, so nothing shows whether it kept it';
const UNSEEN_HINT = 'let the caller print the Idempotency-Key of a failed request, or write CHAT_RECORD';

/** Holds if all keys were kept; `lost` makes the violation for one that was not. */
function judgeKept(
  timeline: Timeline,
  failed: readonly TimelineRequest[],
  lost: (request: TimelineRequest) => Ruling,
): Ruling {
  const forgotten = failed.find((request) => traceOf(timeline, request) === 'not-kept');
  if (forgotten !== undefined) return lost(forgotten);
  const traces = failed.map((request) => traceOf(timeline, request));
  if (traces.every((trace) => trace === 'kept')) return HOLDS;
  return traces.includes('unseen')
    ? notExercised(UNSEEN, UNSEEN_HINT)
    : notExercised('the failed requests had no Idempotency-Key to keep');
}

function judgeRetained(timeline: Timeline): Ruling {
  const failed = failedChats(timeline);
  if (failed.length === 0) return notExercised('no completion failed, so there was nothing to diagnose');
  return judgeKept(timeline, failed, (request) => {
    const actual = `no trace of the key of ${numbered(request)}`;
    return violatedBy(timeline, request, 'key-lost', 'the Idempotency-Key of a failed request kept', actual);
  });
}

export const keyRetained: CallerCheck = {
  id: 'key-retained',
  clauses: ['IDEM-2'],
  title: 'keeps the Idempotency-Key of a request that failed',
  judge: judgeRetained,
};

/** The key is the detail by which all others are found. */
function judgeDetails(timeline: Timeline): Ruling {
  const lost = chatsFailedBy(timeline, 'gateway');
  if (lost.length === 0) return notExercised('no gateway failed');
  return judgeKept(timeline, lost, (request) => {
    const actual = `nothing by which ${numbered(request)} could be looked up`;
    return violatedBy(timeline, request, 'details-lost', 'the details of the request kept', actual);
  });
}

export const detailsKept: CallerCheck = {
  id: 'details-kept',
  clauses: ['CALL-8'],
  title: 'keeps what is needed to look up a request after a gateway failure',
  decides: 'keeps the details',
  judge: judgeDetails,
};
