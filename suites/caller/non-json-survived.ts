import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { type CallerCheck, worstOf } from './judge-caller.ts';
import { type Chat, chatsFailedBy, isAfter, leftItems, mayHaveCrossed } from './observed/chats.ts';
import { saysItCrashed, saysItMisread } from './observed/crash-signs.ts';
import { violatedBy } from './observed/evidence.ts';
import type { Timeline } from './observed/timeline.ts';

const EXPECTED = 'a caller that survives an answer that is not JSON';
const HINT = 'let the caller exit with 0, send another request, or print the Idempotency-Key';

/** Anything that a caller does afterwards shows that it survived. */
function survived(timeline: Timeline, lost: Chat): boolean {
  const { requests, lookups, records = [] } = timeline;
  const { knownAt = Infinity, idempotencyKey = '', item } = lost;
  return (
    requests.some((one) => isAfter(one, lost) && !mayHaveCrossed(timeline, one, lost)) ||
    lookups.some(({ at }) => at > knownAt) ||
    records.some((record) => record.wish === item || record.idempotencyKey === idempotencyKey)
  );
}

/** A program without error handling crashes on any error: only one about the body itself counts. */
function judgeExit(timeline: Timeline, lost: Chat, code: number, output: string): Ruling {
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

function judgeLost(timeline: Timeline, lost: Chat): Ruling {
  if (survived(timeline, lost)) return HOLDS;
  const { end } = timeline;
  if (end.kind === 'exited') return judgeExit(timeline, lost, end.code, end.output);
  return end.kind === 'signalled'
    ? violatedBy(timeline, lost, 'crashed', EXPECTED, `it was killed by ${end.signal}`)
    : notExercised('it sent nothing more, and did not end');
}

export const nonJsonSurvived: CallerCheck = {
  id: 'non-json-survived',
  clauses: ['CALL-8'],
  title: 'survives an error whose body is not JSON',
  decides: 'survives the body',
  judge: (timeline) => {
    const rulings = chatsFailedBy(timeline, 'gateway').map((lost) => judgeLost(timeline, lost));
    return worstOf(rulings) ?? notExercised('every answer was JSON');
  },
};
