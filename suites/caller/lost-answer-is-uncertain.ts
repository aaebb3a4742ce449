import { HOLDS, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { lookupsAfterOutcome } from './looks.ts';
import { numbered, violatedBy } from './rulings.ts';
import { itemOf } from './same-work.ts';
import { failedChats, isAfter } from './seen-chats.ts';
import type { DriverRecord, TimelineRequest, Timeline } from './timeline.ts';

/** What the driver wrote of a request: with its key, or else the last it wrote of the wish. */
function recordOf(timeline: Timeline, request: TimelineRequest): DriverRecord | undefined {
  const { idempotencyKey: key } = request;
  const records = timeline.records ?? [];
  const withKey = records.findLast(({ idempotencyKey }) => key !== undefined && idempotencyKey === key);
  return withKey ?? records.findLast(({ wish }) => wish === itemOf(timeline, request));
}

function judgeLost(timeline: Timeline, lost: TimelineRequest): Ruling | undefined {
  const wish = itemOf(timeline, lost);
  const repeated = timeline.requests.some((one) => isAfter(one, lost) && itemOf(timeline, one) === wish);
  if (repeated || lookupsAfterOutcome(timeline, lost).length > 0) return undefined;
  const record = recordOf(timeline, lost);
  if (record === undefined) return undefined;
  if (record.outcome === 'uncertain') return HOLDS;
  const as = record.outcome === 'served' ? 'a success' : 'a failure that cost nothing';
  return violatedBy(
    timeline,
    lost,
    `taken-for-${record.outcome}`,
    'the outcome taken for unknown',
    `${numbered(lost)} taken for ${as}`,
  );
}

function judge(timeline: Timeline): Ruling {
  const lost = failedChats(timeline).filter(({ outcome: met }) => met.kind === 'uncertain');
  if (lost.length === 0) return notExercised('no outcome was uncertain to the caller');
  const rulings = lost.flatMap((one) => judgeLost(timeline, one) ?? []);
  return (
    rulings.find(({ kind }) => kind === 'violated') ??
    rulings[0] ??
    notExercised(
      'what the caller made of a lost answer cannot be seen from outside',
      'let the driver of the caller write CHAT_RECORD',
    )
  );
}

export const lostAnswerIsUncertain: CallerCheck = {
  id: 'lost-answer-is-uncertain',
  clauses: ['CALL-2'],
  title: 'takes a lost answer neither for a success nor for a failure that cost nothing',
  judge,
};
