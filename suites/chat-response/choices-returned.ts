import { everyServedChat } from '../engine/inputs/judging/served-chat-invariant.ts';
import { acceptedChats } from '../engine/inputs/provoking/accepted-chats-stimulus.ts';
import { check } from '../engine/model/check.ts';
import { HOLDS, violated } from '../engine/model/ruling.ts';
import { answerOf } from '../engine/reading/answers.ts';
import { readJson, valueAt, jsonText } from '../engine/reading/json.ts';
import { judgeResponse, judgeChoices } from './judge-response.ts';
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
