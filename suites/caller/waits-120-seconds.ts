import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { isBeside } from './chats.ts';
import { seconds, violatedBy } from './evidence.ts';
import { timeoutHint } from './hints.ts';
import { type CallerCheck, judgingEach } from './judge-caller.ts';
import { othersFor } from './sent-again.ts';
import { type Chat, STATED_TIMEOUT_MS, type Timeline } from './timeline.ts';

/** A caller counts from before its request arrives, and so may seem to leave this much early. */
const EARLY_MS = 900;

/** A timer never fires early, but on a busy machine it may be late. No one timeout fits both scenarios that hold answers. */
const LATE_MS = 2500;

/** A connection that closes this close to the end of the process may have closed because of that. */
const ENDING_MS = 250;

/** A caller that sends something after it left had not ended then. */
function closedByItsEnd({ end, requests, lookups = [] }: Timeline, leftAt: number): boolean {
  const isAlive =
    requests.some(({ arrivedAt }) => arrivedAt >= leftAt) || lookups.some(({ at }) => at >= leftAt);
  return !isAlive && leftAt >= (end.at ?? Infinity) - ENDING_MS;
}

function waitedFor({ arrivedAt, knownAt = arrivedAt }: Chat): number {
  return knownAt - arrivedAt;
}

/** So far apart no two times are those of one timeout, and so much longer than it no answer takes. */
const APART_MS = 150;
const LONGER_MS = 50;

/** Why what a caller left early may have been cancelled: it left others at another time, or waited longer for them. */
function cancelled(chat: Chat, timeline: Timeline): string | undefined {
  const waited = waitedFor(chat);
  for (const { atService, scenario, timeoutMs } of [timeline, ...timeline.earlier, ...timeline.later]) {
    const other = atService
      .map((one) => ({ time: waitedFor(one), isLeft: one.outcome === 'no-answer' }))
      .find(
        ({ time, isLeft }) =>
          time > waited + (isLeft ? APART_MS : LONGER_MS) ||
          (isLeft && time < Math.min(waited, timeoutMs - EARLY_MS) - APART_MS),
      );
    if (other !== undefined)
      return `it left after ${seconds(waited)}, but waited for ${seconds(other.time)} in ${scenario}: no timeout explains both, so the request may have been cancelled`;
  }
  return undefined;
}

function judgeWait(chat: Chat, timeline: Timeline): Ruling {
  const { timeoutMs, lagMs = 0 } = timeline;
  const { arrivedAt, knownAt = arrivedAt, outcome } = chat;
  const waited = waitedFor(chat);
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
  const answered = othersFor(timeline, chat).filter((one) => one.outcome === 'served' && isBeside(one, chat));
  if (answered.some((one) => (one.knownAt ?? Infinity) <= knownAt + LONGER_MS))
    return notExercised('it left a request when it had the answer to another one for the same work');
  const unsure = cancelled(chat, timeline);
  if (unsure !== undefined) return inconclusive(unsure);
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
