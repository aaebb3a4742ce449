import { HOLDS, notExercised } from '../engine/model/ruling.ts';
import { failedChats, isAfter, lookupsBetween } from './chats.ts';
import { numbered, violatedBy } from './evidence.ts';
import { type CallerCheck, CLIENT_SETTINGS, judgingEach } from './judge-caller.ts';
import { isSameAsk } from './sent-again.ts';
import type { Chat, Timeline } from './timeline.ts';

/** The finding that a single scenario does not show. */
export const KEY_OF_EARLIER_SCENARIO = 'key-of-an-earlier-scenario';

const EXPECTED = 'an Idempotency-Key that no other request has';

/** How the key of a chat was used before; undefined: it was not, or for the same request, which failed. */
function earlierUse(chat: Chat, { atService, earlier }: Timeline) {
  const { idempotencyKey: key, body } = chat;
  const first = atService.find(({ idempotencyKey, n }) => idempotencyKey === key && n < chat.n);
  // A failed request sent again is not a new request: CALL-2 and CALL-6 say whether it may be sent.
  const isNew =
    first !== undefined && (!isSameAsk(chat, first) || !isAfter(chat, first) || first.outcome === 'served');
  if (isNew) {
    const how = body === first.body ? 'an equal request' : 'a request with another body';
    return { code: 'key-reused', actual: `the key of ${how}, ${numbered(first)}` };
  }
  // One constant key, or a counter that restarts with each process.
  for (const other of earlier) {
    const used = other.atService.find(
      (one) => one.idempotencyKey === key && (one.body !== body || one.outcome === 'served'),
    );
    if (used !== undefined)
      return { code: KEY_OF_EARLIER_SCENARIO, actual: `the key of ${numbered(used)} in ${other.scenario}` };
  }
  return undefined;
}

export const freshKeyPerRequest: CallerCheck = {
  id: 'fresh-key-per-request',
  clauses: ['IDEM-1'],
  title: 'gives every new request its own Idempotency-Key',
  remedy: CLIENT_SETTINGS,
  judge: judgingEach(
    ({ atService }) => atService,
    'it sent no chat completion',
    (chat, timeline) => {
      if ((chat.idempotencyKey ?? '') === '')
        return violatedBy(chat, 'no-key', EXPECTED, 'no Idempotency-Key');
      const use = earlierUse(chat, timeline);
      return use === undefined ? HOLDS : violatedBy(chat, use.code, EXPECTED, use.actual);
    },
  ),
};

/** A key was kept if its request was looked up with it, or if the caller recorded or printed it; undefined: nothing shows it. */
function isKept(timeline: Timeline, chat: Chat, key: string): boolean | undefined {
  const { end, records = [] } = timeline;
  const isLookedUp = lookupsBetween(timeline, chat, chat.arrivedAt).some(({ about }) => about === key);
  const isRecorded = records.some(({ idempotencyKey }) => idempotencyKey === key);
  if (isLookedUp || isRecorded || end.output.includes(key)) return true;
  // A driver that recorded nothing at all may have crashed, which is not the same as losing a key.
  return records.length > 0 ? false : undefined;
}

/** Judges whether the key of each of these chats was kept. */
const judgingKept = (found: (timeline: Timeline) => readonly Chat[], none: string, code: string) =>
  judgingEach(found, none, (chat, timeline) => {
    const { idempotencyKey: key = '' } = chat;
    if (key === '') return notExercised('a failed request had no Idempotency-Key to keep');
    const kept = isKept(timeline, chat, key);
    if (kept === true) return HOLDS;
    const expected = 'the Idempotency-Key of a failed request kept, by which it can be looked up';
    if (kept === false) return violatedBy(chat, code, expected, `no trace of the key of ${numbered(chat)}`);
    return notExercised(
      'the caller did not print, record or look up the key, so nothing shows whether it kept it',
      'let the caller print the Idempotency-Key of a failed request, or write CHAT_RECORD',
    );
  });

const KEEP_KEY = 'write the Idempotency-Key down before the request is sent, in a log or a record';

export const keyRetained: CallerCheck = {
  id: 'key-retained',
  clauses: ['IDEM-2'],
  title: 'keeps the Idempotency-Key of a request that failed',
  remedy: KEEP_KEY,
  judge: judgingKept((timeline) => failedChats(timeline), 'no completion failed', 'key-lost'),
};

/** The key is the detail by which all others are found. */
export const detailsKept: CallerCheck = {
  id: 'details-kept',
  clauses: ['CALL-8'],
  title: 'keeps what is needed to look up a request after a gateway failure',
  remedy: KEEP_KEY,
  decides: 'keeps the details',
  judge: judgingKept((timeline) => failedChats(timeline, 'gateway'), 'no gateway failed', 'details-lost'),
};
