import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { failedChats, isAfter, leftItems, mayHaveCrossed, printedSince } from './chats.ts';
import { crashOf } from './crashes.ts';
import { violatedBy } from './evidence.ts';
import { type CallerCheck, worstOf } from './judge-caller.ts';
import type { Chat, Timeline } from './timeline.ts';

const EXPECTED = 'a caller that survives an answer that is not JSON';
/** What a caller does that survived, and ended with a failure all the same. */
export const SHOW_SURVIVAL = 'let the caller exit with 0, send another request, or print the Idempotency-Key';

/** Anything that a caller does afterwards shows that it survived. */
function survived(timeline: Timeline, lost: Chat): boolean {
  const { requests, lookups = [], records = [] } = timeline;
  const { knownAt = Infinity, idempotencyKey = '', item } = lost;
  return (
    requests.some((one) => isAfter(one, lost) && !mayHaveCrossed(timeline, one, lost)) ||
    lookups.some(({ at }) => at > knownAt) ||
    records.some((record) => record.wish === item || record.idempotencyKey === idempotencyKey)
  );
}

/** A program without error handling crashes on any error: only one about the body itself counts. */
function judgeLost(lost: Chat, timeline: Timeline): Ruling {
  if (survived(timeline, lost)) return HOLDS;
  const { end } = timeline;
  const { knownAt = Infinity, idempotencyKey = '\0' } = lost;
  if (end.kind === 'driven') return HOLDS;
  if (end.kind === 'signalled')
    return violatedBy(lost, 'crashed', EXPECTED, `it was killed by ${end.signal}`);
  if (end.kind !== 'exited') return notExercised('it sent nothing more, and did not end');
  const { code } = end;
  const crash = crashOf(end);
  if (code === 0 || (!crash && printedSince(end, knownAt).includes(idempotencyKey))) return HOLDS;
  if (crash?.isMisread === true)
    return violatedBy(lost, 'crashed', EXPECTED, `it crashed with code ${code}${crash.place}`);
  const reason = `it exited with code ${code}, and nothing shows whether the body ended it`;
  return crash || leftItems(timeline) ? inconclusive(reason) : notExercised(reason, SHOW_SURVIVAL);
}

export const nonJsonSurvived: CallerCheck = {
  id: 'non-json-survived',
  clauses: ['CALL-8'],
  title: 'survives an error whose body is not JSON',
  decides: 'survives the body',
  judge: (timeline) => {
    const rulings = failedChats(timeline, 'gateway').map((lost) => judgeLost(lost, timeline));
    // What a caller survived once shows that it does, whatever became of its last answer.
    const shown = worstOf(rulings.filter(({ kind }) => kind !== 'not-exercised'));
    return shown ?? rulings[0] ?? notExercised('every answer was JSON');
  },
};
