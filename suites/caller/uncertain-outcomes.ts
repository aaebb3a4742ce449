import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import { type CallerCheck, worstOf } from './judge-caller.ts';
import {
  everyChat,
  failedBy,
  failedChats,
  isAfter,
  lookupsBetween,
  stateShown,
  UNSETTLED,
} from './observed/chats.ts';
import { numbered, violatedBy } from './observed/evidence.ts';
import { mayHaveCrossed } from './observed/in-flight.ts';
import { sentAgain, type SentAgain, unseenAgain } from './observed/sent-again.ts';
import { surplusIn } from './observed/surplus.ts';
import type { DriverRecord, Timeline, TimelineRequest, WorkspaceLookup } from './observed/timeline.ts';
import { chatsThatHold, itemOf } from './observed/work.ts';

const EXPECTED = 'a workspace lookup before the work is sent again';
const NONE_UNCERTAIN = 'no outcome was uncertain to the caller';

function uncertainChats(timeline: Timeline): readonly TimelineRequest[] {
  return failedChats(timeline).filter(({ outcome }) => outcome.kind === 'uncertain');
}

function placeName({ place }: TimelineRequest): string {
  return place === 'elsewhere' ? 'another provider' : 'the service';
}

function judgeSent(timeline: Timeline, { first, again, when, lookup, doubt }: SentAgain): Ruling {
  if (lookup !== undefined) return judgeAfterLookup(timeline, first, again, lookup);
  if (doubt !== undefined) return inconclusive(doubt);
  const early = when === 'while-held' ? ' before an answer came,' : '';
  const actual = `the work of ${numbered(first)} sent to ${placeName(again)} again${early} without a lookup`;
  return violatedBy(timeline, again, 'sent-again', EXPECTED, actual);
}

function judgeAfterLookup(
  timeline: Timeline,
  lost: TimelineRequest,
  again: TimelineRequest,
  lookup: WorkspaceLookup,
): Ruling {
  const state = stateShown(lookup, lost);
  if (!UNSETTLED.has(state)) return HOLDS;
  const expected = 'no replay of a request under review';
  const actual = `${numbered(lost)} sent to ${placeName(again)} again while the workspace showed it as ${state}`;
  return violatedBy(timeline, again, 'sent-again-under-review', expected, actual);
}

/** Whether a caller sends the texts of items that were served again with later ones; undefined: nothing shows it. */
function keepsHistory(timeline: Timeline): boolean | undefined {
  const chats = everyChat(timeline).filter((chat) => itemOf(timeline, chat) !== undefined);
  const served = chats.filter(({ outcome }) => outcome.kind === 'served');
  const later = served.map((one) => ({
    holding: chatsThatHold(timeline, one).filter((chat) => isAfter(chat, one)),
    all: chats.filter((chat) => isAfter(chat, one) && itemOf(timeline, chat) !== itemOf(timeline, one)),
  }));
  if (later.every(({ all }) => all.length === 0)) return undefined;
  return later.some(({ holding }) => holding.length > 0);
}

/** The text of a lost item within the request for another one. */
function judgeHeldText(timeline: Timeline, lost: TimelineRequest, again: TimelineRequest): Ruling {
  const { knownAt = Infinity } = lost;
  const lookup = lookupsBetween(timeline, lost, knownAt, again.arrivedAt).at(-1);
  if (lookup !== undefined) return judgeAfterLookup(timeline, lost, again, lookup);
  if (mayHaveCrossed(timeline, again, lost) || keepsHistory(timeline) !== false)
    return inconclusive(
      `${numbered(again)} holds the text of ${numbered(lost)}: it may be history, or have left before`,
    );
  const actual = `the text of ${numbered(lost)} sent again within ${numbered(again)}, unlike that of any item that was served`;
  return violatedBy(timeline, again, 'sent-again', EXPECTED, actual);
}

function judgeSentAgain(timeline: Timeline, run: readonly Timeline[]): Ruling {
  const lost = uncertainChats(timeline);
  const again = sentAgain(timeline, run).filter(
    ({ first, when }) => when === 'while-held' || first.outcome.kind === 'uncertain',
  );
  const within = lost.flatMap((one) =>
    chatsThatHold(timeline, one)
      .filter((chat) => isAfter(chat, one))
      .map((chat) => judgeHeldText(timeline, one, chat)),
  );
  const worst = worstOf([
    ...surplusIn(timeline, run).map(inconclusive),
    ...again.map((sent) => judgeSent(timeline, sent)),
    ...within,
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

function isRecordOf({ idempotencyKey }: DriverRecord, request: TimelineRequest): boolean {
  return idempotencyKey !== undefined && idempotencyKey === request.idempotencyKey;
}

/** The driver's record of a request: of its item, the one with its key, or else the last one. Keys may be reused. */
function recordOf(timeline: Timeline, request: TimelineRequest): DriverRecord | undefined {
  const item = itemOf(timeline, request);
  const records = (timeline.records ?? []).filter(({ wish }) => item === undefined || wish === item);
  const withKey = records.findLast((record) => isRecordOf(record, request));
  return withKey ?? (item === undefined ? undefined : records.at(-1));
}

function judgeRecorded(timeline: Timeline, lost: TimelineRequest): Ruling | undefined {
  const item = itemOf(timeline, lost);
  const record = recordOf(timeline, lost);
  if (record === undefined) return undefined;
  const repeated = timeline.requests.some((one) => isAfter(one, lost) && itemOf(timeline, one) === item);
  const isOwn = !repeated || isRecordOf(record, lost);
  if (record.outcome === 'uncertain') return isOwn ? HOLDS : undefined;
  // A look may have shown the outcome, and a repetition may have another one.
  if (repeated || lookupsBetween(timeline, lost, lost.knownAt ?? Infinity).length > 0) return undefined;
  const as = record.outcome === 'served' ? 'a success' : 'a failure that cost nothing';
  return violatedBy(
    timeline,
    lost,
    `taken-for-${record.outcome}`,
    'the outcome recorded as unknown',
    `${numbered(lost)} recorded as ${as}`,
  );
}

function judgeRecords(timeline: Timeline): Ruling {
  const lost = uncertainChats(timeline);
  if (lost.length === 0) return notExercised(NONE_UNCERTAIN);
  const rulings = lost.map(
    (one) =>
      judgeRecorded(timeline, one) ??
      notExercised(
        'nothing shows from outside how the caller treats a lost answer',
        'let the driver of the caller write CHAT_RECORD',
      ),
  );
  return worstOf(rulings.filter(({ kind }) => kind !== 'holds')) ?? HOLDS;
}

export const lostAnswerIsUncertain: CallerCheck = {
  id: 'lost-answer-is-uncertain',
  clauses: ['CALL-2'],
  title: 'treats a lost answer neither as a success nor as a failure that cost nothing',
  decides: 'takes a lost answer for an unknown outcome',
  judge: judgeRecords,
};
