import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { lookupsBetween } from './looks.ts';
import { violatedBy } from './rulings.ts';
import { chatsAtService } from './seen-chats.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

/** The timeout of the tested configuration, in milliseconds. */
const STATED_MS = 120_000;

/** A caller counts from before its request arrives: so much earlier than it was told it may seem to leave. */
const EARLY_MS = 500;

/** A timer never fires early, but on a busy machine late. */
const LATE_MS = 2500;

/** So close to the end of a process a connection may have been closed by that alone. */
const ENDING_MS = 250;

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Who looks a request up when its time is over has given it up, whatever becomes of the connection. */
function looksWhenTold(timeline: Timeline, request: TimelineRequest): boolean {
  const due = request.arrivedAt + timeline.timeoutMs;
  const looks = lookupsBetween(timeline, request, due - EARLY_MS, due + LATE_MS);
  return looks.some(({ about }) => about !== undefined);
}

function closedByItsEnd({ end }: Timeline, leftAt: number): boolean {
  return (end.kind === 'exited' || end.kind === 'signalled') && leftAt >= (end.at ?? Infinity) - ENDING_MS;
}

/** What can be said of a caller that did not leave; it may have given up where nothing shows it. */
function judgeStayed({ timeoutMs }: Timeline, { arrivedAt, knownAt }: TimelineRequest): Ruling {
  if (timeoutMs !== STATED_MS)
    return notExercised(
      'it waits by a timeout of its own, longer than the watch: whether that is 120 s was not waited for',
      'let the client take its timeout from CHAT_TIMEOUT_MS, or wait with --real-time',
    );
  if (knownAt === undefined) return notExercised('it was stopped before it could have waited for 120 s');
  return knownAt - arrivedAt > STATED_MS + LATE_MS
    ? inconclusive(LONGER)
    : notExercised('its answer came before it could have waited for 120 s');
}

const LONGER = 'it waited for more than 120 s: by a longer timeout or none, or it gave up and did not leave';

/** What can be said of a caller that left later than it was told. */
function judgeLate(timeline: Timeline, request: TimelineRequest, leftAt: number): Ruling {
  if (closedByItsEnd(timeline, leftAt))
    return notExercised(
      'its connection closed when its process ended: when it gave up, nothing shows',
      'let the client close the connection when it gives up, or look the request up',
    );
  if (timeline.timeoutMs === STATED_MS) return inconclusive(LONGER);
  const waited = leftAt - request.arrivedAt;
  const actual = `it left after ${seconds(waited)}: not as it was told, and less than 120 s`;
  return violatedBy(timeline, request, 'too-short', expectedOf(timeline), actual);
}

function expectedOf({ timeoutMs }: Timeline): string {
  return `${seconds(timeoutMs)} for an answer${timeoutMs === STATED_MS ? '' : ', as it was told'}`;
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
  if (waited <= timeoutMs + LATE_MS || looksWhenTold(timeline, request)) return HOLDS;
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
    notExercised('no completion was held back')
  );
}

export const waits120Seconds: CallerCheck = {
  id: 'waits-120-seconds',
  clauses: ['CALL-6'],
  title: 'waits 120000 ms for an answer',
  judge,
};
