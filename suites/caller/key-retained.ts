import { HOLDS, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { keptTrace, unseenKeys } from './kept-trace.ts';
import { numbered, violatedBy } from './rulings.ts';
import { failedChats } from './seen-chats.ts';
import type { Timeline } from './timeline.ts';

function judge(timeline: Timeline): Ruling {
  const failed = failedChats(timeline);
  if (failed.length === 0) return notExercised('no completion failed, so there was nothing to diagnose');
  const lost = failed.find((request) => keptTrace(timeline, request) === 'not-kept');
  if (lost !== undefined) {
    const actual = `no trace of the key of ${numbered(lost)}`;
    return violatedBy(timeline, lost, 'key-lost', 'the Idempotency-Key of what failed kept', actual);
  }
  const traces = failed.map((request) => keptTrace(timeline, request));
  return traces.every((trace) => trace === 'kept') ? HOLDS : unseenKeys(traces);
}

export const keyRetained: CallerCheck = {
  id: 'key-retained',
  clauses: ['IDEM-2'],
  title: 'keeps the Idempotency-Key of a request that failed',
  judge,
};
