import { HOLDS, notExercised, type Ruling } from '../kit/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { saysItCrashed } from './crash-signs.ts';
import { violatedBy } from './rulings.ts';
import { wishOf } from './same-work.ts';
import { failedChats } from './seen-chats.ts';
import type { CallerEnd, SeenRequest, Timeline } from './timeline.ts';

const HINT = 'let the caller end with 0, go on with something else, or print the Idempotency-Key';

/** Whatever a caller does after it shows that it lives. */
function livedOn(
  { requests, looks, records }: Timeline,
  lost: SeenRequest,
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

function crashOf(end: CallerEnd): string | undefined {
  if (end.kind === 'signalled') return `it was ended by ${end.signal}`;
  if (end.kind !== 'exited' || end.code === 0 || !saysItCrashed(end.output)) return undefined;
  return `it crashed, with code ${end.code}`;
}

function judgeLost(timeline: Timeline, lost: SeenRequest): Ruling {
  if (livedOn(timeline, lost, wishOf(timeline, lost))) return HOLDS;
  const { end } = timeline;
  const crash = crashOf(end);
  if (crash !== undefined)
    return violatedBy(timeline, lost, 'crashed', 'a caller that gets through an answer without JSON', crash);
  if (end.kind === 'exited') {
    if (end.code === 0 || end.output.includes(lost.idempotencyKey ?? '\0')) return HOLDS;
    return notExercised(`it ended with code ${end.code}: a crash or not, nothing shows`, HINT);
  }
  return notExercised('it did nothing more, and did not end');
}

function judge(timeline: Timeline): Ruling {
  const lost = failedChats(timeline).filter(({ met }) => met.kind === 'uncertain' && met.why === 'gateway');
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
