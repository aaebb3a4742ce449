import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { type CallerCheck, worstOf } from './judge-caller.ts';
import { type Chat, chatsFailedBy } from './observed/chats.ts';
import { numbered, violatedBy } from './observed/evidence.ts';
import { HIDDEN_HINT } from './observed/hidden-work.ts';
import { sentAgain, type SentAgain } from './observed/sent-again.ts';
import type { Timeline } from './observed/timeline.ts';

/** Of one character: a token is at least one byte of UTF-8. */
const MOST_TOKENS = 4;

function inputOf({ fields }: Chat): string {
  return JSON.stringify(fields?.['messages'] ?? '');
}

/** A request without a limit asks for the maximum. */
function outputOf({ fields }: Chat): number {
  const asked = fields?.['max_tokens'];
  return typeof asked === 'number' ? asked : Infinity;
}

/**
 * Whether a request is smaller in all; undefined if only the service's tokenizer can know. A character is at most
 * four tokens: output that grows by more than the input shrank makes the request no smaller.
 */
function isSmaller(chat: Chat, refused: Chat): boolean | undefined {
  const input = inputOf(chat).length - inputOf(refused).length;
  const [output, before] = [outputOf(chat), outputOf(refused)];
  if (input >= 0 && output >= before) return false;
  if (input <= 0 && output <= before) return true;
  return input < 0 && Number.isFinite(output) && output - before > -input * MOST_TOKENS ? false : undefined;
}

function judgeNext(timeline: Timeline, { first: refused, again: next, doubt }: SentAgain): Ruling {
  const isLess = isSmaller(next, refused);
  if (isLess === true) return HOLDS;
  if (next.fields?.['model'] !== refused.fields?.['model'])
    return inconclusive('the request named another model, whose context may be larger');
  if (isLess === undefined)
    return inconclusive('the input shrank and the requested output grew, or the reverse');
  if (doubt !== undefined) return inconclusive(doubt);
  const actual = `${numbered(refused)} sent again, no smaller`;
  return violatedBy(timeline, next, 'not-reduced', 'a shorter input or less requested output', actual);
}

function judge(timeline: Timeline, run: readonly Timeline[]): Ruling {
  const refused = chatsFailedBy(timeline, 'token-limit');
  if (refused.length === 0) return notExercised('it got no token limit error');
  const again = sentAgain(timeline, run).filter(
    ({ again: { place }, when }) => place === 'service' && when === 'after',
  );
  const next = refused.flatMap((one) => again.find(({ first }) => first === one) ?? []);
  const rulings = next.map((sent) => judgeNext(timeline, sent));
  return worstOf(rulings) ?? notExercised('nothing shows that it sent the refused work again', HIDDEN_HINT);
}

export const requestReduced: CallerCheck = {
  id: 'request-reduced',
  clauses: ['CALL-3'],
  title: 'shortens the input or asks for less output after a token limit error',
  judge,
};
