import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import { lookupsBetween, chatsAtService } from './chats.ts';
import { violatedBy } from './evidence.ts';
import type { CallerCheck } from './judge-caller.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

/** The timeout of the tested configuration, in milliseconds. */
const STATED_MS = 120_000;

/** A caller counts from before its request arrives, and so may seem to leave this much early. */
const EARLY_MS = 500;

/** A timer never fires early, but on a busy machine it may be late. */
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

function closedByItsEnd({ end }: Timeline, leftAt: number): boolean {
  return (end.kind === 'exited' || end.kind === 'signalled') && leftAt >= (end.at ?? Infinity) - ENDING_MS;
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

function judgeWait(timeline: Timeline, request: TimelineRequest): Ruling {
  const { timeoutMs } = timeline;
  const { leftAt = Infinity, arrivedAt } = request;
  const waited = leftAt - arrivedAt;
  if (waited < timeoutMs - EARLY_MS)
    return violatedBy(
      timeline,
      request,
      'too-short',
      expectedOf(timeline),
      `it left after ${seconds(waited)}`,
    );
  if (waited <= timeoutMs + LATE_MS || looksUpInTime(timeline, request)) return HOLDS;
  return leftAt === Infinity ? judgeStayed(timeline, request) : judgeLate(timeline, request, leftAt);
}

function judge(timeline: Timeline): Ruling {
  const held = chatsAtService(timeline).filter(({ isHeld: heldBack }) => heldBack);
  const rulings = held.map((request) => judgeWait(timeline, request));
  return (
    rulings.find(({ kind }) => kind === 'violated') ??
    rulings.find(({ kind }) => kind === 'holds') ??
    rulings.find(({ kind }) => kind === 'inconclusive') ??
    rulings[0] ??
    notExercised('no answer was held')
  );
}

export const waits120Seconds: CallerCheck = {
  id: 'waits-120-seconds',
  clauses: ['CALL-6'],
  title: 'waits 120000 ms for an answer',
  judge,
};
