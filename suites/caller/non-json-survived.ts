import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import { itemOf, failedChats } from './chats.ts';
import { saysItCrashed, saysItMisread } from './crash-signs.ts';
import { violatedBy } from './evidence.ts';
import type { CallerCheck } from './judge-caller.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

const EXPECTED = 'a caller that survives an answer that is not JSON';
const HINT = 'let the caller exit with 0, send another request, or print the Idempotency-Key';

/** Anything that a caller does afterwards shows that it survived. */
function survived(
  { requests, lookups: looks, records }: Timeline,
  lost: TimelineRequest,
  item: string | undefined,
): boolean {
  const { knownAt = Infinity, idempotencyKey } = lost;
  if (requests.some(({ arrivedAt }) => arrivedAt > knownAt) || looks.some(({ at }) => at > knownAt))
    return true;
  return (
    records?.some((record) => record.wish === item || record.idempotencyKey === (idempotencyKey ?? '')) ??
    false
  );
}

/** A program without error handling crashes on any error: only one about the body itself counts. */
function judgeExit(timeline: Timeline, lost: TimelineRequest, code: number, output: string): Ruling {
  if (code === 0 || output.includes(lost.idempotencyKey ?? '\0')) return HOLDS;
  if (!saysItCrashed(output))
    return notExercised(`it exited with code ${code}, and nothing shows whether it crashed`, HINT);
  if (!saysItMisread(output))
    return inconclusive('it crashed on an error that it did not handle, which need not be about the body');
  return violatedBy(timeline, lost, 'crashed', EXPECTED, `it crashed with code ${code}`);
}

function judgeLost(timeline: Timeline, lost: TimelineRequest): Ruling {
  if (survived(timeline, lost, itemOf(timeline, lost))) return HOLDS;
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
  const lost = failedChats(timeline).filter(
    ({ outcome }) => outcome.kind === 'uncertain' && outcome.why === 'gateway',
  );
  const rulings = lost.map((one) => judgeLost(timeline, one));
  return (
    rulings.find(({ kind }) => kind === 'violated') ?? rulings[0] ?? notExercised('every answer was JSON')
  );
}

export const nonJsonSurvived: CallerCheck = {
  id: 'non-json-survived',
  clauses: ['CALL-8'],
  title: 'survives an error whose body is not JSON',
  judge,
};
