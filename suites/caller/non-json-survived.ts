import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { saysItCrashed, saysItMisread } from './crash-signs.ts';
import { violatedBy } from './rulings.ts';
import { itemOf } from './same-work.ts';
import { failedChats } from './seen-chats.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

const EXPECTED = 'a caller that gets through an answer without JSON';
const HINT = 'let the caller end with 0, go on with something else, or print the Idempotency-Key';

/** Whatever a caller does after it shows that it lives. */
function livedOn(
  { requests, lookups: looks, records }: Timeline,
  lost: TimelineRequest,
  wish: string | undefined,
): boolean {
  const { knownAt = Infinity, idempotencyKey } = lost;
  if (requests.some(({ arrivedAt }) => arrivedAt > knownAt) || looks.some(({ at }) => at > knownAt))
    return true;
  return (
    records?.some((record) => record.wish === wish || record.idempotencyKey === (idempotencyKey ?? '')) ??
    false
  );
}

/** A program that catches nothing ends over any error alike: only one over the body itself is a crash over it. */
function judgeExit(timeline: Timeline, lost: TimelineRequest, code: number, output: string): Ruling {
  if (code === 0 || output.includes(lost.idempotencyKey ?? '\0')) return HOLDS;
  if (!saysItCrashed(output))
    return notExercised(`it ended with code ${code}: a crash or not, nothing shows`, HINT);
  if (!saysItMisread(output))
    return inconclusive('it crashed over an error that it caught nowhere, which is not to say over the body');
  return violatedBy(timeline, lost, 'crashed', EXPECTED, `it crashed, with code ${code}`);
}

function judgeLost(timeline: Timeline, lost: TimelineRequest): Ruling {
  if (livedOn(timeline, lost, itemOf(timeline, lost))) return HOLDS;
  const { end } = timeline;
  switch (end.kind) {
    case 'signalled':
      return violatedBy(timeline, lost, 'crashed', EXPECTED, `it was ended by ${end.signal}`);
    case 'exited':
      return judgeExit(timeline, lost, end.code, end.output);
    case 'stopped':
    case 'watched':
      return notExercised('it did nothing more, and did not end');
  }
}

function judge(timeline: Timeline): Ruling {
  const lost = failedChats(timeline).filter(
    ({ outcome: met }) => met.kind === 'uncertain' && met.why === 'gateway',
  );
  const rulings = lost.map((one) => judgeLost(timeline, one));
  return (
    rulings.find(({ kind }) => kind === 'violated') ??
    rulings[0] ??
    notExercised('no answer without JSON was met')
  );
}

export const nonJsonSurvived: CallerCheck = {
  id: 'non-json-survived',
  clauses: ['CALL-8'],
  title: 'gets through an error whose body is no JSON',
  judge,
};
