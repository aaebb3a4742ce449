import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import { type CallerCheck, worstOf } from './judge-caller.ts';
import { chatsAtService, failedChats, lookupsBetween } from './observed/chats.ts';
import { violatedBy } from './observed/evidence.ts';
import type { CallerEnd, Timeline, TimelineRequest } from './observed/timeline.ts';

/** The timeout of the tested configuration, in milliseconds. */
const STATED_MS = 120_000;

/** A caller counts from before its request arrives, and so may seem to leave this much early. */
const EARLY_MS = 700;

/** A timer never fires early, but on a busy machine it may be late. No one timeout fits both scenarios that hold answers. */
const LATE_MS = 2500;

/** A connection that closes this close to the end of the process may have closed because of that. */
const ENDING_MS = 250;

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** A caller that looks a request up when its timeout is over has given up, even if the connection stays open. */
function looksUpInTime(timeline: Timeline, request: TimelineRequest): boolean {
  const due = request.arrivedAt + timeline.timeoutMs;
  const lookups = lookupsBetween(timeline, request, due - EARLY_MS, due + LATE_MS);
  return lookups.some(({ about }) => about !== undefined);
}

/** A caller that sends something after it left had not ended then. */
function closedByItsEnd({ end, requests, lookups }: Timeline, leftAt: number): boolean {
  const isAlive =
    requests.some(({ arrivedAt }) => arrivedAt >= leftAt) || lookups.some(({ at }) => at >= leftAt);
  const hasEnded = end.kind === 'exited' || end.kind === 'signalled';
  return hasEnded && !isAlive && leftAt >= (end.at ?? Infinity) - ENDING_MS;
}

/** Judges a caller that did not leave. It may have given up without a trace. */
function judgeStayed({ timeoutMs }: Timeline, { arrivedAt, knownAt }: TimelineRequest): Ruling {
  if (timeoutMs !== STATED_MS)
    return notExercised(
      'it has its own timeout, longer than the scenario: nothing shows whether that is 120 s',
      'let the client take its timeout from CHAT_TIMEOUT_MS, or use --real-time',
    );
  if (knownAt === undefined) return notExercised('it was stopped before 120 s were over');
  return knownAt - arrivedAt > STATED_MS + LATE_MS
    ? inconclusive(LONGER)
    : notExercised('its answer arrived before 120 s were over');
}

const LONGER =
  'it waited for more than 120 s: its timeout is longer, or it gave up without closing the connection';

/** Judges a caller that left later than it was told. */
function judgeLate(timeline: Timeline, request: TimelineRequest, leftAt: number): Ruling {
  if (closedByItsEnd(timeline, leftAt))
    return notExercised(
      'its connection closed when its process ended: nothing shows when it gave up',
      'let the client close the connection or look the request up when it gives up',
    );
  if (timeline.timeoutMs === STATED_MS) return inconclusive(LONGER);
  const waited = leftAt - request.arrivedAt;
  const actual = `it left after ${seconds(waited)}: neither as told nor after 120 s`;
  return violatedBy(timeline, request, 'too-short', expectedOf(timeline), actual);
}

function expectedOf({ timeoutMs }: Timeline): string {
  return `${seconds(timeoutMs)} for an answer${timeoutMs === STATED_MS ? '' : ', as CHAT_TIMEOUT_MS says'}`;
}

/** When a caller with one request at a time turned to other work: it had given up, even if the connection stayed open. */
function turnedAwayAt(
  timeline: Timeline,
  { arrivedAt, knownAt = Infinity }: TimelineRequest,
): number | undefined {
  const first = chatsAtService(timeline).find(
    (one) => one.arrivedAt > arrivedAt && one.arrivedAt < knownAt,
  )?.arrivedAt;
  // Anything earlier may be a caller that has several requests in flight.
  const due = arrivedAt + timeline.timeoutMs;
  return first !== undefined && first >= due - EARLY_MS ? first : undefined;
}

function judgeWait(timeline: Timeline, request: TimelineRequest): Ruling {
  const { timeoutMs } = timeline;
  const { arrivedAt } = request;
  const leftAt = Math.min(request.leftAt ?? Infinity, turnedAwayAt(timeline, request) ?? Infinity);
  const waited = leftAt - arrivedAt;
  const { lagMs = 0 } = timeline;
  if (waited < timeoutMs - EARLY_MS - lagMs)
    return violatedBy(
      timeline,
      request,
      'too-short',
      expectedOf(timeline),
      `it left after ${seconds(waited)}`,
    );
  if (waited <= timeoutMs + LATE_MS + lagMs || looksUpInTime(timeline, request)) return HOLDS;
  return leftAt === Infinity ? judgeStayed(timeline, request) : judgeLate(timeline, request, leftAt);
}

/** Whether an earlier failure may be why the caller left: it may stop all its requests then. */
function hadReason(timeline: Timeline, { leftAt = Infinity }: TimelineRequest): boolean {
  return failedChats(timeline).some(({ outcome, knownAt = Infinity }) => {
    const isOther = outcome.kind !== 'uncertain' || outcome.why !== 'no-answer';
    return isOther && knownAt < leftAt;
  });
}

function endedWell(end: CallerEnd): boolean {
  return end.kind === 'exited' && end.code === 0;
}

/** Requests whose answers were not held, and that the caller left all the same: seconds taken for milliseconds. */
function leftEarly(timeline: Timeline): readonly TimelineRequest[] {
  // What is only observed may have been cancelled by a person.
  if (timeline.scenario === 'watched') return [];
  return chatsAtService(timeline).filter((request) => {
    const { leftAt, arrivedAt, isHeld } = request;
    return (
      !isHeld &&
      leftAt !== undefined &&
      leftAt - arrivedAt < timeline.timeoutMs - EARLY_MS &&
      !hadReason(timeline, request) &&
      // One that crashed did not choose to leave.
      (endedWell(timeline.end) || !closedByItsEnd(timeline, leftAt))
    );
  });
}

function judge(timeline: Timeline): Ruling {
  const held = chatsAtService(timeline).filter(({ isHeld: heldBack }) => heldBack);
  const early = leftEarly(timeline).map((request) =>
    closedByItsEnd(timeline, request.leftAt ?? 0)
      ? inconclusive('it ended without an answer, and nothing shows whether its timeout was over')
      : judgeWait(timeline, request),
  );
  const rulings = [...early, ...held.map((request) => judgeWait(timeline, request))];
  return worstOf(rulings) ?? notExercised('no answer was held');
}

export const waits120Seconds: CallerCheck = {
  id: 'waits-120-seconds',
  clauses: ['CALL-6'],
  title: 'waits 120000 ms for an answer',
  decides: 'waits 120 seconds',
  judge,
};
