import { HOLDS, inconclusive, notExercised, type Ruling } from '../kit/model/ruling.ts';
import type { CallerCheck } from './caller-check.ts';
import { numbered, violatedBy } from './rulings.ts';
import { sameWork } from './same-work.ts';
import { chatOf, chatsAtService, failedChats, isAfter } from './seen-chats.ts';
import type { TimelineRequest, Timeline } from './timeline.ts';

/** So much of a text stays the same when its end is cut off. */
const BEGINNING = 24;

/** Of one character: a token is a byte of UTF-8 at least. */
const MOST_TOKENS = 4;

function inputOf(request: TimelineRequest): string {
  return JSON.stringify(chatOf(request)?.['messages'] ?? '');
}

/** Without a limit of its own a request asks for as much as there is. */
function outputOf(request: TimelineRequest): number {
  const asked = chatOf(request)?.['max_tokens'];
  return typeof asked === 'number' ? asked : Infinity;
}

/**
 * Whether less is asked for in all; undefined where nobody can tell without the service's own tokens. Of the input
 * no character is more than four tokens: output that grows by more than was cut leaves nothing reduced.
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
    return inconclusive('the request went to another model, whose context may be larger');
  if (isLess === undefined) return inconclusive('less of the one was asked for, and more of the other');
  const actual = `the request of ${numbered(refused)} again, no smaller`;
  return violatedBy(timeline, next, 'not-reduced', 'a shorter input, or less output asked for', actual);
}

function judge(timeline: Timeline): Ruling {
  const refused = failedChats(timeline).filter(
    ({ outcome: met }) => met.kind === 'refused' && met.why === 'token-limit',
  );
  if (refused.length === 0) return notExercised('no token limit error was met');
  const rulings = refused.flatMap((one) => judgeNext(timeline, one) ?? []);
  return (
    rulings.find(({ kind }) => kind === 'violated') ??
    rulings[0] ??
    notExercised('nothing of a request that was too large was sent again')
  );
}

export const requestReduced: CallerCheck = {
  id: 'request-reduced',
  clauses: ['CALL-3'],
  title: 'shortens the input or asks for less output after a token limit error',
  judge,
};
