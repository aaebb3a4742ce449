import { HOLDS, notExercised, type Ruling } from '../kit/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { numbered, violatedBy } from './rulings.ts';
import { chatsAtService, isAfter } from './seen-chats.ts';
import type { SeenRequest, Timeline } from './timeline.ts';

const EXPECTED = 'an Idempotency-Key that no other request has';

/** The same request again after it failed is no new request: whether it may come is what CALL-2 and CALL-6 say. */
function isRepetition(request: SeenRequest, first: SeenRequest): boolean {
  return request.body === first.body && isAfter(request, first) && first.met.kind !== 'served';
}

function reused(timeline: Timeline, request: SeenRequest, first: SeenRequest): Ruling | undefined {
  if (isRepetition(request, first)) return undefined;
  const how = request.body === first.body ? 'of an equal request' : 'of a request with another body';
  return violatedBy(timeline, request, 'key-reused', EXPECTED, `the key ${how}, ${numbered(first)}`);
}

function judge(timeline: Timeline): Ruling {
  const chats = chatsAtService(timeline);
  const byKey = new Map<string, SeenRequest>();
  for (const chat of chats) {
    const { idempotencyKey: key } = chat;
    if (key === undefined || key === '')
      return violatedBy(timeline, chat, 'no-key', EXPECTED, 'no Idempotency-Key');
    const first = byKey.get(key);
    const ruling = first && reused(timeline, chat, first);
    if (ruling !== undefined) return ruling;
    byKey.set(key, first ?? chat);
  }
  return chats.length === 0 ? notExercised('no completion was asked for') : HOLDS;
}

export const freshKeyPerRequest: CallerCheck = {
  id: 'fresh-key-per-request',
  clauses: ['IDEM-1'],
  title: 'gives every new request an Idempotency-Key of its own',
  judge,
};
