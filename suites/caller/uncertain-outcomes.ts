import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { failedBy, failedChats, isAfter, isUncertain, lookupsBetween, unsettledState } from './chats.ts';
import { numbered, violatedBy } from './evidence.ts';
import { type CallerCheck, judgingEach } from './judge-caller.ts';
import { judgeAgain, sentAgain, type SentAgain } from './sent-again.ts';
import { type Chat, type Timeline, UNCERTAIN } from './timeline.ts';

const NONE_UNCERTAIN = 'no outcome was uncertain to the caller';

function judgeSent({ first, again, when, lookup, doubt }: SentAgain): Ruling {
  const place = again.place === 'elsewhere' ? 'another provider' : 'the service';
  if (lookup !== undefined) {
    const state = unsettledState(lookup, first);
    if (state === undefined) return HOLDS;
    const actual = `${numbered(first)} sent to ${place} again while the workspace showed it as ${state}`;
    return violatedBy(again, 'sent-again-under-review', 'no replay of a request under review', actual);
  }
  if (doubt !== undefined) return inconclusive(doubt);
  const early = when === 'while-held' ? ' before an answer came,' : '';
  const actual = `the work of ${numbered(first)} sent to ${place} again${early} without a lookup`;
  return violatedBy(again, 'sent-again', 'a workspace lookup before the work is sent again', actual);
}

export const notSentAgainUnchecked: CallerCheck = {
  id: 'not-sent-again-unchecked',
  clauses: ['CALL-2'],
  title: 'sends a request of uncertain outcome again, to any provider, only after a workspace lookup',
  remedy:
    'after a timeout, a gateway error or a cut connection, look the request up in the workspace by its Idempotency-Key before it is sent again',
  decides: {
    'sends nothing again after a timeout': failedBy('no-answer'),
    'sends nothing again after a gateway error': failedBy('gateway', 'cut'),
  },
  judge: (timeline) => {
    const again = sentAgain(timeline).filter(
      ({ first, when }) => when === 'while-held' || isUncertain(first),
    );
    const lost = failedChats(timeline, ...UNCERTAIN);
    return judgeAgain(timeline, lost, again.map(judgeSent), NONE_UNCERTAIN);
  },
};

const UNSEEN = notExercised(
  'nothing shows from outside how the caller treats a lost answer',
  'let the driver of the caller write CHAT_RECORD',
);

/** Judges what the driver recorded of a lost request, under its key or else last of its item. */
function judgeRecord(lost: Chat, timeline: Timeline): Ruling {
  const { item, idempotencyKey = '', knownAt = Infinity } = lost;
  const { records = [] } = timeline;
  // A repetition may have another outcome, and a key may have been used again.
  const isRepeated = timeline.chats.some((chat) => chat.item === item && isAfter(chat, lost));
  const record =
    records.findLast((each) => each.idempotencyKey === idempotencyKey && (item ?? each.wish) === each.wish) ??
    (isRepeated ? undefined : records.findLast(({ wish }) => wish === item));
  if (record?.outcome === 'uncertain') return HOLDS;
  // A lookup may have shown the outcome.
  if (record === undefined || isRepeated || lookupsBetween(timeline, lost, knownAt).length > 0) return UNSEEN;
  const as = record.outcome === 'served' ? 'a success' : 'a failure that cost nothing';
  const actual = `${numbered(lost)} recorded as ${as}`;
  return violatedBy(lost, `taken-for-${record.outcome}`, 'the outcome recorded as unknown', actual);
}

export const lostAnswerIsUncertain: CallerCheck = {
  id: 'lost-answer-is-uncertain',
  clauses: ['CALL-2'],
  title: 'treats a lost answer neither as a success nor as a failure that cost nothing',
  remedy: 'record a lost answer as unknown until a workspace lookup decides it',
  decides: 'takes a lost answer for an unknown outcome',
  judge: judgingEach((timeline) => failedChats(timeline, ...UNCERTAIN), NONE_UNCERTAIN, judgeRecord),
};
