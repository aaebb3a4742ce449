import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import { type CallerCheck, worstOf } from './judge-caller.ts';
import { chatsFailedBy, isAfter } from './observed/chats.ts';
import { saysItCrashed, saysItMisread } from './observed/crash-signs.ts';
import { violatedBy } from './observed/evidence.ts';
import { mayHaveCrossed } from './observed/in-flight.ts';
import type { TimelineRequest, Timeline } from './observed/timeline.ts';
import { itemOf, leftItems } from './observed/work.ts';

const EXPECTED = 'a caller that survives an answer that is not JSON';
const HINT = 'let the caller exit with 0, send another request, or print the Idempotency-Key';

/** Anything that a caller does afterwards shows that it survived. */
function survived(timeline: Timeline, lost: TimelineRequest): boolean {
  const { requests, lookups: looks, records } = timeline;
  const { knownAt = Infinity, idempotencyKey } = lost;
  const sentMore = requests.some((one) => isAfter(one, lost) && !mayHaveCrossed(timeline, one, lost));
  if (sentMore || looks.some(({ at }) => at > knownAt)) return true;
  const item = itemOf(timeline, lost);
  return (
    records?.some((record) => record.wish === item || record.idempotencyKey === (idempotencyKey ?? '')) ??
    false
  );
}

/** A program without error handling crashes on any error: only one about the body itself counts. */
function judgeExit(timeline: Timeline, lost: TimelineRequest, code: number, output: string): Ruling {
  if (code === 0) return HOLDS;
  if (saysItCrashed(output))
    return saysItMisread(output)
      ? violatedBy(timeline, lost, 'crashed', EXPECTED, `it crashed with code ${code}`)
      : inconclusive('it crashed on an error that it did not handle, which need not be about the body');
  if (output.includes(lost.idempotencyKey ?? '\0')) return HOLDS;
  const ended = `it exited with code ${code}`;
  return leftItems(timeline)
    ? inconclusive(`${ended} and left work undone, and nothing shows whether the body ended it`)
    : notExercised(`${ended}, and nothing shows whether it crashed`, HINT);
}

function judgeLost(timeline: Timeline, lost: TimelineRequest): Ruling {
  if (survived(timeline, lost)) return HOLDS;
  const { end } = timeline;
  switch (end.kind) {
    case 'signalled':
      return violatedBy(timeline, lost, 'crashed', EXPECTED, `it was killed by ${end.signal}`);
    case 'exited':
      return judgeExit(timeline, lost, end.code, end.output);
    case 'stopped':
    case 'watched':
      return notExercised('it sent nothing more, and did not end');
  }
}

function judge(timeline: Timeline): Ruling {
  const rulings = chatsFailedBy(timeline, 'gateway').map((lost) => judgeLost(timeline, lost));
  return worstOf(rulings) ?? notExercised('every answer was JSON');
}

export const nonJsonSurvived: CallerCheck = {
  id: 'non-json-survived',
  clauses: ['CALL-8'],
  title: 'survives an error whose body is not JSON',
  decides: 'survives the body',
  judge,
};
