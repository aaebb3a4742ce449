import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { violatedBy } from './evidence.ts';
import { timeoutHint } from './hints.ts';
import { type CallerCheck, judgingEach } from './judge-caller.ts';
import { type Chat, STATED_TIMEOUT_MS, type Timeline } from './timeline.ts';

/** A caller counts from before its request arrives, and so may seem to leave this much early. */
const EARLY_MS = 900;

/** A timer never fires early, but on a busy machine it may be late. No one timeout fits both scenarios that hold answers. */
const LATE_MS = 2500;

/** A connection that closes this close to the end of the process may have closed because of that. */
const ENDING_MS = 250;

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** A caller that sends something after it left had not ended then. */
function closedByItsEnd({ end, requests, lookups = [] }: Timeline, leftAt: number): boolean {
  const isAlive =
    requests.some(({ arrivedAt }) => arrivedAt >= leftAt) || lookups.some(({ at }) => at >= leftAt);
  return !isAlive && leftAt >= (end.at ?? Infinity) - ENDING_MS;
}

function judgeWait(chat: Chat, timeline: Timeline): Ruling {
  const { timeoutMs, lagMs = 0 } = timeline;
  const { arrivedAt, knownAt = arrivedAt, outcome } = chat;
  const waited = knownAt - arrivedAt;
  const isLate = waited > timeoutMs + LATE_MS + lagMs;
  if (isLate && timeoutMs === STATED_TIMEOUT_MS)
    return inconclusive('it waited for more than 120 s, or gave up without closing the connection');
  if (outcome !== 'no-answer')
    return notExercised(
      'it did not close the connection before the answer came: nothing shows when it gave up',
      timeoutHint(timeline),
    );
  if (isLate && closedByItsEnd(timeline, knownAt))
    return notExercised('its connection closed when its process ended: nothing shows when it gave up');
  if (!isLate && waited >= timeoutMs - EARLY_MS - lagMs) return HOLDS;
  const expected = `a timeout of ${seconds(timeoutMs)}, as it was told`;
  return violatedBy(chat, 'too-short', expected, `it left after ${seconds(waited)}`);
}

export const waits120Seconds: CallerCheck = {
  id: 'waits-120-seconds',
  clauses: ['CALL-6'],
  title: 'waits 120000 ms for an answer',
  decides: 'waits 120 seconds',
  judge: judgingEach(
    ({ atService }) => atService.filter(({ isHeld }) => isHeld),
    'no answer was held',
    judgeWait,
  ),
};
