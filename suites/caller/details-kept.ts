import { HOLDS, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { keptTrace, unseenKeys } from './kept-trace.ts';
import { numbered, violatedBy } from './rulings.ts';
import { failedChats } from './seen-chats.ts';
import type { Timeline } from './timeline.ts';

/** The key is the detail by which the rest is found. */
function judge(timeline: Timeline): Ruling {
  const lost = failedChats(timeline).filter(
    ({ outcome: met }) => met.kind === 'uncertain' && met.why === 'gateway',
  );
  if (lost.length === 0) return notExercised('no gateway failed');
  const forgotten = lost.find((request) => keptTrace(timeline, request) === 'not-kept');
  if (forgotten !== undefined) {
    const actual = `nothing by which ${numbered(forgotten)} could be looked up`;
    return violatedBy(timeline, forgotten, 'details-lost', 'the details of the request kept', actual);
  }
  const traces = lost.map((request) => keptTrace(timeline, request));
  return traces.every((trace) => trace === 'kept') ? HOLDS : unseenKeys(traces);
}

export const detailsKept: CallerCheck = {
  id: 'details-kept',
  clauses: ['CALL-8'],
  title: 'keeps what is needed to look up a request that a gateway lost',
  judge,
};
