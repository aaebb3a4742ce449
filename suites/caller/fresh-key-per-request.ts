import { HOLDS, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { numbered, violatedBy } from './rulings.ts';
import { chatsAtService, isAfter } from './seen-chats.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

/** The finding that one scenario alone does not show. */
export const KEY_OF_EARLIER_SCENARIO = 'key-of-an-earlier-scenario';

const EXPECTED = 'an Idempotency-Key that no other request has';

/** The same request again after it failed is no new request: whether it may come is what CALL-2 and CALL-6 say. */
function isRepetition(request: TimelineRequest, first: TimelineRequest): boolean {
  return request.body === first.body && isAfter(request, first) && first.outcome.kind !== 'served';
}

function reused(timeline: Timeline, request: TimelineRequest, first: TimelineRequest): Ruling | undefined {
  if (isRepetition(request, first)) return undefined;
  const how = request.body === first.body ? 'of an equal request' : 'of a request with another body';
  return violatedBy(timeline, request, 'key-reused', EXPECTED, `the key ${how}, ${numbered(first)}`);
}

/** A key that an earlier scenario saw: one for all, or a counter that begins anew with each process. */
function judgeEarlier(timeline: Timeline, run: readonly Timeline[]): Ruling | undefined {
  const earlier = run.slice(0, Math.max(0, run.indexOf(timeline)));
  for (const other of earlier)
    for (const first of chatsAtService(other)) {
      const again = chatsAtService(timeline).find(
        ({ idempotencyKey, body }) =>
          idempotencyKey === first.idempotencyKey &&
          !(body === first.body && first.outcome.kind !== 'served'),
      );
      if (again === undefined) continue;
      const actual = `the key of ${numbered(first)} in ${other.scenario}`;
      return violatedBy(timeline, again, KEY_OF_EARLIER_SCENARIO, EXPECTED, actual);
    }
  return undefined;
}

function judge(timeline: Timeline, run: readonly Timeline[]): Ruling {
  const chats = chatsAtService(timeline);
  const byKey = new Map<string, TimelineRequest>();
  for (const chat of chats) {
    const { idempotencyKey: key } = chat;
    if (key === undefined || key === '')
      return violatedBy(timeline, chat, 'no-key', EXPECTED, 'no Idempotency-Key');
    const first = byKey.get(key);
    const ruling = first && reused(timeline, chat, first);
    if (ruling !== undefined) return ruling;
    byKey.set(key, first ?? chat);
  }
  const ruling = judgeEarlier(timeline, run);
  if (ruling !== undefined) return ruling;
  return chats.length === 0 ? notExercised('no completion was asked for') : HOLDS;
}

export const freshKeyPerRequest: CallerCheck = {
  id: 'fresh-key-per-request',
  clauses: ['IDEM-1'],
  title: 'gives every new request an Idempotency-Key of its own',
  judge,
};
