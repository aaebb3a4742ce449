import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { failedBy, failedChats, isAfter, leftWork, mayHaveCrossed, printedSince } from './chats.ts';
import { crashOf } from './crashes.ts';
import { violatedBy } from './evidence.ts';
import { type CallerCheck, worstShown } from './judge-caller.ts';
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

/** Whether a caller did not end by itself, or left work undone. */
function stopsShort(timeline: Timeline): boolean {
  return timeline.end.kind === 'stopped' || leftWork(timeline);
}

/** A program without error handling crashes on any error: only one about the body itself counts. */
function judgeLost(lost: Chat, timeline: Timeline): Ruling {
  if (survived(timeline, lost)) return HOLDS;
  const { end } = timeline;
  const { knownAt = Infinity, idempotencyKey = '\0' } = lost;
  if (end.kind === 'driven') return HOLDS;
  if (end.kind === 'signalled')
    return violatedBy(lost, 'crashed', EXPECTED, `it was killed by ${end.signal}`);
  const code = end.kind === 'exited' ? end.code : undefined;
  const crash = code === undefined || code === 0 ? undefined : crashOf({ ...end, code });
  if (!crash && printedSince(end, knownAt).includes(idempotencyKey)) return HOLDS;
  if (crash?.isMisread === true)
    return violatedBy(lost, 'crashed', EXPECTED, `it crashed with code ${code}${crash.place}`);
  // Where every answer was JSON, and where one of those was lost.
  const others = [...timeline.earlier, ...timeline.later].filter((other) => !failedBy('gateway')(other));
  const losses = others.filter(failedBy('cut', 'no-answer'));
  const did = code === undefined ? 'it sent nothing more, and did not end' : `it exited with code ${code}`;
  // A caller that stops at every lost answer is right to do so.
  if (stopsShort(timeline) && losses.length > 0 && !others.some(stopsShort))
    return violatedBy(lost, 'stopped', EXPECTED, `${did}: it left work undone after no other lost answer`);
  if (code === undefined) return notExercised(did);
  const isLeft = leftWork(timeline);
  if (code === 0 && (!isLeft || losses.some(stopsShort))) return HOLDS;
  const reason = `${did}, and nothing shows whether the body ended it`;
  return crash || isLeft ? inconclusive(reason) : notExercised(reason, SHOW_SURVIVAL);
}

export const nonJsonSurvived: CallerCheck = {
  id: 'non-json-survived',
  clauses: ['CALL-8'],
  title: 'survives an error whose body is not JSON',
  decides: 'survives the body',
  judge: (timeline) => {
    const rulings = failedChats(timeline, 'gateway').map((lost) => judgeLost(lost, timeline));
    // What a caller survived once shows that it does, whatever became of its last answer.
    return worstShown(rulings) ?? notExercised('every answer was JSON');
  },
};
