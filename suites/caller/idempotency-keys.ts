import { HOLDS, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { failedChats, isAfter, lookupsBetween } from './chats.ts';
import { numbered, violatedBy } from './evidence.ts';
import { type CallerCheck, CLIENT_SETTINGS } from './judge-caller.ts';
import { isSameAsk } from './sent-again.ts';
import type { Chat, Timeline } from './timeline.ts';

/** The finding that a single scenario does not show. */
export const KEY_OF_EARLIER_SCENARIO = 'key-of-an-earlier-scenario';

const EXPECTED = 'an Idempotency-Key that no other request has';

/** How the key of a chat was used before; undefined: it was not, or for the same request, which failed. */
function earlierUse(chat: Chat, before: readonly Chat[], earlier: readonly Timeline[]) {
  // A failed request sent again is not a new request: CALL-2 and CALL-6 say whether it may be sent.
  const isNew = (first: Chat): boolean =>
    !isSameAsk(chat, first) || !isAfter(chat, first) || first.outcome.kind === 'served';
  const first = before.find(({ idempotencyKey }) => idempotencyKey === chat.idempotencyKey);
  if (first !== undefined && isNew(first)) {
    const how = chat.body === first.body ? 'an equal request' : 'a request with another body';
    return { code: 'key-reused', actual: `the key of ${how}, ${numbered(first)}` };
  }
  // One constant key, or a counter that restarts with each process.
  for (const other of earlier) {
    const used = other.atService.find(
      ({ idempotencyKey, body, outcome }) =>
        idempotencyKey === chat.idempotencyKey && (body !== chat.body || outcome.kind === 'served'),
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
  judge: (timeline) => {
    const chats = timeline.atService;
    if (chats.length === 0) return notExercised('it sent no chat completion');
    for (const [index, chat] of chats.entries()) {
      if ((chat.idempotencyKey ?? '') === '')
        return violatedBy(chat, 'no-key', EXPECTED, 'no Idempotency-Key');
      const use = earlierUse(chat, chats.slice(0, index), timeline.earlier ?? []);
      if (use !== undefined) return violatedBy(chat, use.code, EXPECTED, use.actual);
    }
    return HOLDS;
  },
};

/** A key was kept if its request was looked up with it, or if the caller recorded or printed it; undefined: nothing shows it. */
function isKept(timeline: Timeline, chat: Chat): boolean | undefined {
  const { idempotencyKey: key } = chat;
  const { end, records = [] } = timeline;
  const isLookedUp = lookupsBetween(timeline, chat, chat.arrivedAt).some(({ about }) => about === key);
  const isPrinted = end.kind !== 'watched' && end.output.includes(key ?? '');
  if (isLookedUp || isPrinted || records.some(({ idempotencyKey }) => idempotencyKey === key)) return true;
  // A driver that recorded nothing at all may have crashed, which is not the same as losing a key.
  return records.length > 0 ? false : undefined;
}

/** Holds if the keys of all these requests were kept; otherwise the finding says what was lost. */
function judgeKept(
  timeline: Timeline,
  failed: readonly Chat[],
  code: string,
  expected: string,
  actual: string,
): Ruling {
  const withKey = failed.filter(({ idempotencyKey = '' }) => idempotencyKey !== '');
  if (withKey.length === 0) return notExercised('the failed requests had no Idempotency-Key to keep');
  const forgotten = withKey.find((chat) => isKept(timeline, chat) === false);
  if (forgotten !== undefined)
    return violatedBy(forgotten, code, expected, `${actual} ${numbered(forgotten)}`);
  if (withKey.every((chat) => isKept(timeline, chat) === true)) return HOLDS;
  return notExercised(
    'the caller did not print, record or look up the key, so nothing shows whether it kept it',
    'let the caller print the Idempotency-Key of a failed request, or write CHAT_RECORD',
  );
}

export const keyRetained: CallerCheck = {
  id: 'key-retained',
  clauses: ['IDEM-2'],
  title: 'keeps the Idempotency-Key of a request that failed',
  judge: (timeline) => {
    const failed = failedChats(timeline);
    if (failed.length === 0) return notExercised('no completion failed, so there was nothing to diagnose');
    const expected = 'the Idempotency-Key of a failed request kept';
    return judgeKept(timeline, failed, 'key-lost', expected, 'no trace of the key of');
  },
};

/** The key is the detail by which all others are found. */
export const detailsKept: CallerCheck = {
  id: 'details-kept',
  clauses: ['CALL-8'],
  title: 'keeps what is needed to look up a request after a gateway failure',
  decides: 'keeps the details',
  judge: (timeline) => {
    const lost = failedChats(timeline, 'gateway');
    if (lost.length === 0) return notExercised('no gateway failed');
    const expected = 'the details of the request kept';
    return judgeKept(timeline, lost, 'details-lost', expected, 'no key by which to look up');
  },
};
