import { HOLDS, inconclusive, notExercised, type Ruling } from '../engine/model/ruling.ts';
import { failedChats, messagesOf } from './chats.ts';
import { numbered, violatedBy } from './evidence.ts';
import { type CallerCheck, worstOf } from './judge-caller.ts';
import { nothingSeen, sentAgain, type SentAgain } from './sent-again.ts';
import type { Chat } from './timeline.ts';

/** Of one character: a token is at least one byte of UTF-8. */
const MOST_TOKENS = 4;

function inputOf({ fields }: Chat): number {
  return JSON.stringify(fields?.['messages'] ?? []).length;
}

/** A request without a limit asks for the maximum. */
function outputOf({ fields }: Chat): number {
  const asked = fields?.['max_tokens'];
  return typeof asked === 'number' ? asked : Infinity;
}

/** A clock before the text has other digits each time: a difference of so few characters shows nothing. */
const LONGEST_CLOCK = 32;

function isOfClock(next: Chat, refused: Chat): boolean {
  const isSameText =
    next.text === refused.text && messagesOf(next.fields).length === messagesOf(refused.fields).length;
  return isSameText && Math.abs(inputOf(next) - inputOf(refused)) <= LONGEST_CLOCK;
}

/**
 * Whether a request is smaller in all; undefined if only the service's tokenizer can know. A character is at most
 * four tokens: output that grows by more than the input shrank makes the request no smaller.
 */
function isSmaller(next: Chat, refused: Chat): boolean | undefined {
  const input = inputOf(next) - inputOf(refused);
  const [output, before] = [outputOf(next), outputOf(refused)];
  if (input >= 0 && output >= before) return false;
  if (output === before && isOfClock(next, refused)) return undefined;
  if (output <= before && (input <= 0 || isOfClock(next, refused))) return true;
  return input < 0 && Number.isFinite(output) && output - before > -input * MOST_TOKENS ? false : undefined;
}

function judgeNext({ first: refused, again: next, doubt }: SentAgain): Ruling {
  const isLess = isSmaller(next, refused);
  if (isLess === true) return HOLDS;
  if (next.fields?.['model'] !== refused.fields?.['model'])
    return inconclusive('the request named another model, whose context may be larger');
  if (isLess === undefined)
    return inconclusive('only the service can tell whether the request is smaller: see docs/callers.md');
  if (doubt !== undefined) return inconclusive(doubt);
  const actual = `${numbered(refused)} sent again, no smaller`;
  return violatedBy(next, 'not-reduced', 'a shorter input or less requested output', actual);
}

export const requestReduced: CallerCheck = {
  id: 'request-reduced',
  clauses: ['CALL-3'],
  title: 'shortens the input or asks for less output after a token limit error',
  remedy: 'after a token limit error, shorten the messages or lower max_tokens before the next attempt',
  judge: (timeline) => {
    const refused = failedChats(timeline, 'token-limit');
    if (refused.length === 0) return notExercised('it got no token limit error');
    const again = sentAgain(timeline).filter(
      ({ again: { place }, when }) => place === 'service' && when === 'after',
    );
    const next = refused.flatMap((one) => again.find(({ first }) => first === one) ?? []);
    return worstOf(next.map(judgeNext)) ?? nothingSeen('nothing shows that it sent the refused work again');
  },
};
