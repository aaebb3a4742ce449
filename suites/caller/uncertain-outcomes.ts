import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { type CallerCheck, worstOf } from './judge-caller.ts';
import {
  type Chat,
  chatsOf,
  failedBy,
  failedChats,
  isAfter,
  lookupsBetween,
  stateShown,
  UNSETTLED,
} from './observed/chats.ts';
import { numbered, violatedBy } from './observed/evidence.ts';
import { mayHideAgain, unseenAgain } from './observed/hidden-work.ts';
import { sentAgain, type SentAgain } from './observed/sent-again.ts';
import type { Timeline, WorkspaceLookup } from './observed/timeline.ts';

const EXPECTED = 'a workspace lookup before the work is sent again';
const NONE_UNCERTAIN = 'no outcome was uncertain to the caller';

function uncertainChats(timeline: Timeline): readonly Chat[] {
  return failedChats(timeline).filter(({ outcome }) => outcome.kind === 'uncertain');
}

function placeName({ place }: Chat): string {
  return place === 'elsewhere' ? 'another provider' : 'the service';
}

function judgeSent(timeline: Timeline, { first, again, when, lookup, doubt }: SentAgain): Ruling {
  if (lookup !== undefined) return judgeAfterLookup(timeline, first, again, lookup);
  if (doubt !== undefined) return inconclusive(doubt);
  const early = when === 'while-held' ? ' before an answer came,' : '';
  const actual = `the work of ${numbered(first)} sent to ${placeName(again)} again${early} without a lookup`;
  return violatedBy(timeline, again, 'sent-again', EXPECTED, actual);
}

function judgeAfterLookup(timeline: Timeline, lost: Chat, again: Chat, lookup: WorkspaceLookup): Ruling {
  const state = stateShown(lookup, lost);
  if (!UNSETTLED.has(state)) return HOLDS;
  const expected = 'no replay of a request under review';
  const actual = `${numbered(lost)} sent to ${placeName(again)} again while the workspace showed it as ${state}`;
  return violatedBy(timeline, again, 'sent-again-under-review', expected, actual);
}

function judgeSentAgain(timeline: Timeline, run: readonly Timeline[]): Ruling {
  const lost = uncertainChats(timeline);
  const again = sentAgain(timeline, run).filter(
    ({ first, when }) => when === 'while-held' || first.outcome.kind === 'uncertain',
  );
  const worst = worstOf([
    ...mayHideAgain(timeline, run).map(inconclusive),
    ...again.map((sent) => judgeSent(timeline, sent)),
  ]);
  if (worst === undefined && lost.length === 0) return notExercised(NONE_UNCERTAIN);
  return worst !== undefined && worst.kind !== 'holds' ? worst : unseenAgain(timeline, run, lost);
}

export const notSentAgainUnchecked: CallerCheck = {
  id: 'not-sent-again-unchecked',
  clauses: ['CALL-2'],
  title: 'sends a request of uncertain outcome again, to any provider, only after a workspace lookup',
  decides: {
    'sends nothing again after a timeout': failedBy('no-answer'),
    'sends nothing again after a gateway error': failedBy('gateway', 'cut'),
  },
  judge: judgeSentAgain,
};

const UNSEEN = notExercised(
  'nothing shows from outside how the caller treats a lost answer',
  'let the driver of the caller write CHAT_RECORD',
);

/** Judges what the driver recorded of a lost request, under its key or else last of its item. */
function judgeRecord(timeline: Timeline, lost: Chat): Ruling {
  const { item, idempotencyKey = '', knownAt = Infinity } = lost;
  const records = timeline.records ?? [];
  // A repetition may have another outcome, and a key may have been used again.
  const isRepeated = chatsOf(timeline).some((chat) => chat.item === item && isAfter(chat, lost));
  const record =
    records.findLast((each) => each.idempotencyKey === idempotencyKey && (item ?? each.wish) === each.wish) ??
    (isRepeated ? undefined : records.findLast(({ wish }) => wish === item));
  if (record?.outcome === 'uncertain') return HOLDS;
  // A lookup may have shown the outcome.
  if (record === undefined || isRepeated || lookupsBetween(timeline, lost, knownAt).length > 0) return UNSEEN;
  const as = record.outcome === 'served' ? 'a success' : 'a failure that cost nothing';
  const actual = `${numbered(lost)} recorded as ${as}`;
  return violatedBy(timeline, lost, `taken-for-${record.outcome}`, 'the outcome recorded as unknown', actual);
}

function judgeRecords(timeline: Timeline): Ruling {
  const rulings = uncertainChats(timeline).map((lost) => judgeRecord(timeline, lost));
  if (rulings.length === 0) return notExercised(NONE_UNCERTAIN);
  return worstOf(rulings.filter(({ kind }) => kind !== 'holds')) ?? HOLDS;
}

export const lostAnswerIsUncertain: CallerCheck = {
  id: 'lost-answer-is-uncertain',
  clauses: ['CALL-2'],
  title: 'treats a lost answer neither as a success nor as a failure that cost nothing',
  decides: 'takes a lost answer for an unknown outcome',
  judge: judgeRecords,
};
