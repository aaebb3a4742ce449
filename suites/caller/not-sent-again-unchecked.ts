import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { lookupsBetween, stateShown } from './looks.ts';
import { numbered, violatedBy } from './rulings.ts';
import { sameWork } from './same-work.ts';
import { chatsAtService, everyChat, failedChats, isAfter } from './seen-chats.ts';
import { sentWhileHeld, type SentWhileHeld } from './sent-while-held.ts';
import type { WorkspaceLookup, TimelineRequest, Timeline } from './timeline.ts';

const EXPECTED = 'a look into the workspace before the work is sent again';

/** Of a caller with wishes of its own: whether it asks for equal work twice where nothing is ever lost. */
function asksAlikeInPlainUse(run: readonly Timeline[], lost: TimelineRequest): boolean {
  return run
    .filter(({ scenario }) => scenario === 'plain-use')
    .some((plain) => {
      const equal = chatsAtService(plain).filter((chat) => sameWork(plain, chat, lost) === 'messages');
      return equal.length > 1;
    });
}

/** Of a caller with wishes of its own: whether it asked for equal work twice before there was any reason to. */
function asksAlike(timeline: Timeline, lost: TimelineRequest): boolean {
  const equal = chatsAtService(timeline).filter(
    (chat) => !isAfter(chat, lost) && sameWork(timeline, chat, lost) === 'messages',
  );
  return equal.some((chat) => chat !== lost && chat.outcome.kind !== 'refused');
}

function placeName({ place }: TimelineRequest): string {
  return place === 'elsewhere' ? 'another provider' : 'the service';
}

function judgeRepetition(
  timeline: Timeline,
  run: readonly Timeline[],
  lost: TimelineRequest,
  again: TimelineRequest,
): Ruling {
  const how = sameWork(timeline, lost, again);
  const { knownAt = Infinity } = lost;
  const shown = lookupsBetween(timeline, lost, knownAt, again.arrivedAt).at(-1);
  if (shown === undefined) {
    if (how === 'messages' && (asksAlike(timeline, lost) || asksAlikeInPlainUse(run, lost)))
      return inconclusive(
        'equal requests came where nothing was lost too: let the wishes of the caller differ in their texts',
      );
    return violatedBy(
      timeline,
      again,
      'sent-again',
      EXPECTED,
      `the work of ${numbered(lost)} sent to ${placeName(again)} again, and no look`,
    );
  }
  return judgeShown(timeline, lost, again, shown);
}

/** What was sent again after a look. */
function judgeShown(
  timeline: Timeline,
  lost: TimelineRequest,
  again: TimelineRequest,
  shown: WorkspaceLookup,
): Ruling {
  const where = placeName(again);
  const state = stateShown(shown, lost);
  if (state !== 'under_review' && state !== 'running') return HOLDS;
  const actual = `${numbered(lost)} sent to ${where} again while the workspace showed it as ${state}`;
  return violatedBy(
    timeline,
    again,
    'sent-again-under-review',
    'no replay of a request under review',
    actual,
  );
}

/** It may have looked as soon as it gave up, which nothing else shows. */
function judgeWhileHeld(timeline: Timeline, { held, again, how }: SentWhileHeld): Ruling {
  const shown = lookupsBetween(timeline, held, held.arrivedAt, again.arrivedAt).at(-1);
  if (shown !== undefined) return judgeShown(timeline, held, again, shown);
  if (how === 'messages')
    return inconclusive('an equal request came while the answer was held back: it may be another wish');
  const actual = `the work of ${numbered(held)} sent to ${placeName(again)} again before an answer came, and no look`;
  return violatedBy(timeline, again, 'sent-again', EXPECTED, actual);
}

function judge(timeline: Timeline, run: readonly Timeline[]): Ruling {
  const lost = failedChats(timeline).filter(({ outcome: met }) => met.kind === 'uncertain');
  const whileHeld = sentWhileHeld(timeline).map((sent) => judgeWhileHeld(timeline, sent));
  if (lost.length === 0 && whileHeld.length === 0)
    return notExercised('no outcome was uncertain to the caller');
  const afterwards = lost.flatMap((one) =>
    everyChat(timeline)
      .filter((chat) => isAfter(chat, one) && sameWork(timeline, one, chat) !== undefined)
      .map((chat) => judgeRepetition(timeline, run, one, chat)),
  );
  const rulings = [...whileHeld, ...afterwards];
  return (
    rulings.find(({ kind }) => kind === 'violated') ??
    rulings.find(({ kind }) => kind === 'inconclusive') ??
    HOLDS
  );
}

export const notSentAgainUnchecked: CallerCheck = {
  id: 'not-sent-again-unchecked',
  clauses: ['CALL-2'],
  title: 'sends nothing of an uncertain outcome again, to whomever, before it looked into the workspace',
  judge,
};
