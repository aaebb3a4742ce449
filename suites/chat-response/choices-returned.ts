import { notServed } from '../engine/inputs/judging/is-served.ts';
import { everyServedChat } from '../engine/inputs/judging/served-chat-invariant.ts';
import { acceptedChats } from '../engine/inputs/provoking/accepted-chats-stimulus.ts';
import { check, type Judgement } from '../engine/model/check.ts';
import type { Exchange } from '../engine/model/exchange.ts';
import { HOLDS, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { answerOf, sentChat } from '../engine/reading/answers.ts';
import {
  type ChoiceReading,
  type CompletionReading,
  readCompletion,
} from '../engine/reading/completions/read-completion.ts';
import { readJson, valueAt, jsonText } from '../engine/reading/json.ts';
import { isEventStreamType } from '../engine/reading/streams/read-stream.ts';
import { emptyBesideTokens } from './text-generated.ts';

const EXPECTED = 'a JSON object with a `choices` array of at least one choice';

export const responseHasChoices = check({
  id: 'response-has-choices',
  clauses: ['RES-1'],
  title: 'answers an accepted request with a JSON object whose choices array has at least one choice',
  given: acceptedChats,
  holds: judgeResponse((reading, _, exchange) => {
    if (reading === undefined) {
      const body = readJson(answerOf(exchange));
      return violated(
        'no-object',
        EXPECTED,
        body.kind === 'no-json' ? body.reason : 'JSON that is not an object',
      );
    }
    const { choices, body } = reading;
    if (choices === undefined) {
      const received = Object.hasOwn(body, 'choices') ? '`choices` that is not an array' : 'no `choices`';
      return violated('no-choices', EXPECTED, received, '/choices');
    }
    if (choices.length === 0)
      return violated('empty-choices', EXPECTED, 'an empty `choices` array', '/choices');
    return HOLDS;
  }),
});

// An empty text is valid: a model may generate nothing within its max_tokens. See `text-generated`.
export const choicesCarryText = check({
  id: 'choices-carry-text',
  clauses: ['RES-2'],
  title: 'puts the generated text in the message content of every choice',
  decides: 'puts the content in each choice',
  given: acceptedChats,
  holds: emptyBesideTokens(
    judgeChoices((choices, { body }) => {
      const index = choices.findIndex(({ text }) => text === undefined);
      if (index === -1) return HOLDS;
      const pointer = `/choices/${index}/message/content`;
      const value = valueAt(body, pointer);
      const actual = value === undefined ? 'no `content`' : jsonText(value).slice(0, 80);
      return violated('no-text', 'text in `message.content` of each choice', actual, pointer);
    }),
  ),
});

export const everyResponseHasChoices = everyServedChat(responseHasChoices, {
  id: 'every-response-has-choices',
  title: 'returns at least one choice in every response, for any model and key',
});

export const everyChoiceCarriesText = everyServedChat(choicesCarryText, {
  id: 'every-choice-carries-text',
  title: 'puts the generated text in every choice of every response, for any model and key',
});

/** Judges the normal response to an accepted chat; the reading is undefined when the body is not a JSON object. */
function judgeResponse(
  judge: (reading: CompletionReading | undefined, info: TargetInfo, exchange: Exchange) => Ruling,
): Judgement {
  return ({ exchanges: [exchange] }, info) => {
    if (sentChat(exchange.request)?.['stream'] === true) return notExercised('the request asks for a stream');
    const elsewhere = notServed(exchange, info);
    if (elsewhere) return elsewhere;
    const answer = answerOf(exchange);
    if (isEventStreamType(answer))
      return notExercised('the answer is an event stream, not a response: see REQ-7');
    return judge(readCompletion(answer, info), info, exchange);
  };
}

/** Judges a normal response that has choices; RES-1 judges that it has some. */
export function judgeChoices(
  judge: (choices: readonly ChoiceReading[], reading: CompletionReading, info: TargetInfo) => Ruling,
): Judgement {
  return judgeResponse((reading, info) => {
    const choices = reading?.choices ?? [];
    if (reading === undefined || choices.length === 0)
      return notExercised('the response has no choices: see RES-1');
    return judge(choices, reading, info);
  });
}
