import { HOLDS, notExercised, type Ruling } from '../kit/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { violatedBy } from './rulings.ts';
import { chatsAtService } from './seen-chats.ts';
import type { SeenRequest, Timeline } from './timeline.ts';

/** The timeout of the tested configuration, in milliseconds. */
const STATED_MS = 120_000;

/** A caller counts from before its request arrives: so much earlier than it was told it may seem to leave. */
const EARLY_MS = 500;

/** A timer never fires early, but on a busy machine late. */
const LATE_MS = 2500;

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function judgeWait(timeline: Timeline, request: SeenRequest): Ruling {
  const { timeoutMs } = timeline;
  const isReal = timeoutMs === STATED_MS;
  const expected = isReal ? '120.0 s for an answer' : `${seconds(timeoutMs)} for an answer, as it was told`;
  if (request.leftAt === undefined) {
    if (isReal && request.knownAt !== undefined) return HOLDS;
    return isReal
      ? notExercised('it was stopped before it could have waited for 120 s')
      : notExercised(
          'it waits by a timeout of its own, longer than the watch: whether that is 120 s was not waited for',
          'let the client take its timeout from CHAT_TIMEOUT_MS, or wait with --real-time',
        );
  }
  const waited = request.leftAt - request.arrivedAt;
  if (waited < timeoutMs - EARLY_MS)
    return violatedBy(timeline, request, 'too-short', expected, `it left after ${seconds(waited)}`);
  if (isReal || waited <= timeoutMs + LATE_MS) return HOLDS;
  const actual = `it left after ${seconds(waited)}: not as it was told, and less than 120 s`;
  return violatedBy(timeline, request, 'too-short', expected, actual);
}

function judge(timeline: Timeline): Ruling {
  const held = chatsAtService(timeline).filter(({ heldBack }) => heldBack);
  const rulings = held.map((request) => judgeWait(timeline, request));
  return (
    rulings.find(({ kind }) => kind === 'violated') ??
    rulings.find(({ kind }) => kind === 'holds') ??
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
