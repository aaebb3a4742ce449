import { HOLDS, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { failedChats, isAfter, lookupsBetween, printedSince } from './chats.ts';
import { numbered, violatedBy } from './evidence.ts';
import { orRecord } from './hints.ts';
import { type CallerCheck, judgingEach } from './judge-caller.ts';
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
  judge: judgingEach(({ atService }) => atService, 'it sent no chat completion', judgeKey),
};

const KEPT = 'the Idempotency-Key of a failed request kept, by which it can be looked up';
const UNSEEN = 'the caller did not print, store, record or look up the key: nothing shows whether it kept it';
const EARLY = 'the caller printed the key only before the answer, so nothing shows whether it kept it';

/** Judges whether a key was kept: its request was looked up with it, or the caller stored, recorded or printed it, of late or at any time. */
const judgingKept =
  (code: string, isLate: boolean) =>
  (chat: Chat, timeline: Timeline): Ruling => {
    const { idempotencyKey: key = '', arrivedAt, knownAt = Infinity } = chat;
    const { end, records = [], files = '' } = timeline;
    if (key === '') return notExercised('a failed request had no Idempotency-Key to keep');
    const isLookedUp = lookupsBetween(timeline, chat, arrivedAt).some(({ about }) => about === key);
    const isRecorded = records.some(({ idempotencyKey }) => idempotencyKey === key);
    const left = `${printedSince(end, isLate ? knownAt : 0)}\n${files}`;
    if (isLookedUp || isRecorded || left.includes(key)) return HOLDS;
    const isEarly = end.output.includes(key);
    // A driver that recorded nothing at all may have crashed, which is not the same as losing a key.
    if (records.length > 0 && !isEarly)
      return violatedBy(chat, code, KEPT, `no trace of the key of ${numbered(chat)}`);
    const print = 'let the caller print the Idempotency-Key of a failed request with its outcome';
    return notExercised(isEarly ? EARLY : UNSEEN, isEarly ? print : orRecord(print, timeline));
  };

export const keyRetained: CallerCheck = {
  id: 'key-retained',
  clauses: ['IDEM-2'],
  title: 'keeps the Idempotency-Key of a request that failed',
  judge: judgingEach(failedChats, 'no completion failed', judgingKept('key-lost', false)),
};

/** The key is the detail by which all others are found. */
export const detailsKept: CallerCheck = {
  id: 'details-kept',
  clauses: ['CALL-8'],
  title: 'keeps what is needed to look up a request after a gateway failure',
  decides: 'keeps the details',
  judge: judgingEach(
    (timeline) => failedChats(timeline, 'gateway'),
    'no gateway failed',
    judgingKept('details-lost', true),
  ),
};
