import { HOLDS, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { failedChats, isAfter, lookupsBetween } from './chats.ts';
import { numbered, violatedBy } from './evidence.ts';
import { type CallerCheck, CLIENT_SETTINGS, judgingEach } from './judge-caller.ts';
import { isSameAsk } from './sent-again.ts';
import type { Chat, Timeline } from './timeline.ts';

/** The finding that a single scenario does not show. */
export const KEY_OF_EARLIER_SCENARIO = 'key-of-an-earlier-scenario';

const EXPECTED = 'an Idempotency-Key that no other request has';

/** Judges whether a key was used before, unless for the same request, which failed: CALL-2 and CALL-6 judge that. */
function judgeKey(chat: Chat, { atService, earlier }: Timeline): Ruling {
  const { idempotencyKey: key = '', body } = chat;
  if (key === '') return violatedBy(chat, 'no-key', EXPECTED, 'no Idempotency-Key');
  const first = atService.find(({ idempotencyKey, n }) => idempotencyKey === key && n < chat.n);
  if (first && (!isSameAsk(chat, first) || !isAfter(chat, first) || first.outcome === 'served'))
    return violatedBy(chat, 'key-reused', EXPECTED, `the key of ${numbered(first)}`);
  // One constant key, or a counter that restarts with each process.
  for (const { atService: others, scenario } of earlier) {
    const used = others.find(
      (one) => one.idempotencyKey === key && (one.body !== body || one.outcome === 'served'),
    );
    const actual = used && `the key of ${numbered(used)} in ${scenario}`;
    if (actual !== undefined) return violatedBy(chat, KEY_OF_EARLIER_SCENARIO, EXPECTED, actual);
  }
  return HOLDS;
}

export const freshKeyPerRequest: CallerCheck = {
  id: 'fresh-key-per-request',
  clauses: ['IDEM-1'],
  title: 'gives every new request its own Idempotency-Key',
  remedy: CLIENT_SETTINGS,
  judge: judgingEach(({ atService }) => atService, 'it sent no chat completion', judgeKey),
};

/** Judges whether a key was kept: its request was looked up with it, or the caller recorded or printed it. */
const judgingKept =
  (code: string) =>
  (chat: Chat, timeline: Timeline): Ruling => {
    const { idempotencyKey: key = '', arrivedAt } = chat;
    const { end, records = [] } = timeline;
    if (key === '') return notExercised('a failed request had no Idempotency-Key to keep');
    const isLookedUp = lookupsBetween(timeline, chat, arrivedAt).some(({ about }) => about === key);
    const isRecorded = records.some(({ idempotencyKey }) => idempotencyKey === key);
    if (isLookedUp || isRecorded || end.output.includes(key)) return HOLDS;
    const expected = 'the Idempotency-Key of a failed request kept, by which it can be looked up';
    // A driver that recorded nothing at all may have crashed, which is not the same as losing a key.
    return records.length > 0
      ? violatedBy(chat, code, expected, `no trace of the key of ${numbered(chat)}`)
      : notExercised(
          'the caller did not print, record or look up the key, so nothing shows whether it kept it',
          'let the caller print the Idempotency-Key of a failed request, or write CHAT_RECORD',
        );
  };

const KEEP_KEY = 'write the Idempotency-Key down before the request is sent, in a log or a record';

export const keyRetained: CallerCheck = {
  id: 'key-retained',
  clauses: ['IDEM-2'],
  title: 'keeps the Idempotency-Key of a request that failed',
  remedy: KEEP_KEY,
  judge: judgingEach((timeline) => failedChats(timeline), 'no completion failed', judgingKept('key-lost')),
};

/** The key is the detail by which all others are found. */
export const detailsKept: CallerCheck = {
  id: 'details-kept',
  clauses: ['CALL-8'],
  title: 'keeps what is needed to look up a request after a gateway failure',
  remedy: KEEP_KEY,
  decides: 'keeps the details',
  judge: judgingEach(
    (timeline) => failedChats(timeline, 'gateway'),
    'no gateway failed',
    judgingKept('details-lost'),
  ),
};
