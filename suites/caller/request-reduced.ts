import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import { sameWork, chatOf, chatsAtService, failedChats, isAfter } from './chats.ts';
import { numbered, violatedBy } from './evidence.ts';
import type { CallerCheck } from './judge-caller.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

/** A shortened text still begins with this many of its characters. */
const BEGINNING = 24;

/** Of one character: a token is at least one byte of UTF-8. */
const MOST_TOKENS = 4;

function inputOf(request: TimelineRequest): string {
  return JSON.stringify(chatOf(request)?.['messages'] ?? '');
}

/** A request without a limit asks for the maximum. */
function outputOf(request: TimelineRequest): number {
  const asked = chatOf(request)?.['max_tokens'];
  return typeof asked === 'number' ? asked : Infinity;
}

/**
 * Whether a request is smaller in all; undefined if only the service's tokenizer can know. A character is at most
 * four tokens: output that grows by more than the input shrank makes the request no smaller.
 */
function isSmaller(request: TimelineRequest, refused: TimelineRequest): boolean | undefined {
  const input = inputOf(request).length - inputOf(refused).length;
  const [output, before] = [outputOf(request), outputOf(refused)];
  if (input >= 0 && output >= before) return false;
  if (input <= 0 && output <= before) return true;
  return input < 0 && Number.isFinite(output) && output - before > -input * MOST_TOKENS ? false : undefined;
}

function isOfSameWork(timeline: Timeline, request: TimelineRequest, refused: TimelineRequest): boolean {
  if (sameWork(timeline, request, refused) !== undefined) return true;
  const start = inputOf(refused).indexOf('"content":');
  const beginning = inputOf(refused).slice(0, start + '"content":'.length + BEGINNING);
  return start !== -1 && inputOf(request).startsWith(beginning);
}

function judgeNext(timeline: Timeline, refused: TimelineRequest): Ruling | undefined {
  const next = chatsAtService(timeline).find(
    (chat) => isAfter(chat, refused) && isOfSameWork(timeline, chat, refused),
  );
  if (next === undefined) return undefined;
  const isLess = isSmaller(next, refused);
  if (isLess === true) return HOLDS;
  if (chatOf(next)?.['model'] !== chatOf(refused)?.['model'])
    return inconclusive('the request named another model, whose context may be larger');
  if (isLess === undefined)
    return inconclusive('the input shrank and the requested output grew, or the reverse');
  const actual = `${numbered(refused)} sent again, no smaller`;
  return violatedBy(timeline, next, 'not-reduced', 'a shorter input or less requested output', actual);
}

function judge(timeline: Timeline): Ruling {
  const refused = failedChats(timeline).filter(
    ({ outcome }) => outcome.kind === 'refused' && outcome.why === 'token-limit',
  );
  if (refused.length === 0) return notExercised('it got no token limit error');
  const rulings = refused.flatMap((one) => judgeNext(timeline, one) ?? []);
  return (
    rulings.find(({ kind }) => kind === 'violated') ??
    rulings[0] ??
    notExercised('it sent no part of the refused request again')
  );
}

export const requestReduced: CallerCheck = {
  id: 'request-reduced',
  clauses: ['CALL-3'],
  title: 'shortens the input or asks for less output after a token limit error',
  judge,
};
