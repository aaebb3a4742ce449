import { judgeChoices, judgeResponse } from '../engine/inputs/judging/judged-answers.ts';
import { observationsOf } from '../engine/inputs/judging/observations.ts';
import { everyServedChat } from '../engine/inputs/judging/served-chat-invariant.ts';
import { acceptedChats } from '../engine/inputs/provoking/accepted-chats-stimulus.ts';
import { check } from '../engine/model/check.ts';
import { HOLDS, observed, violated } from '../engine/model/ruling.ts';
import { memberOfUsage } from '../engine/reading/completions/read-completion.ts';
import { type Found, readJson, valueAt, jsonText } from '../engine/reading/json.ts';
import { pointerOf } from '../engine/reading/locate.ts';
import { emptyBesideTokens } from './text-generated.ts';

const EXPECTED = 'a JSON object with a `choices` array of at least one choice';

export const responseHasChoices = check({
  id: 'response-has-choices',
  clauses: ['RES-1'],
  title: 'answers an accepted request with a JSON object whose choices array has at least one choice',
  given: acceptedChats,
  holds: judgeResponse((reading, answer) => {
    if (reading === undefined) {
      const body = readJson(answer);
      return violated(
        'no-object',
        EXPECTED,
        body.kind === 'no-json' ? body.reason : 'JSON that is not an object',
      );
    }
    const { choices, body } = reading;
    if (choices?.length === 0)
      return violated('empty-choices', EXPECTED, 'an empty `choices` array', '/choices');
    if (choices !== undefined) return HOLDS;
    const actual = Object.hasOwn(body, 'choices') ? '`choices` that is not an array' : 'no `choices`';
    return violated('no-choices', EXPECTED, actual, '/choices');
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

export const responseNames = check({
  id: 'response-names',
  clauses: ['RES-6'],
  title: 'chooses the names of the finish reason, the usage and the other fields of a response',
  given: acceptedChats,
  holds: judgeChoices(([first], { body, usage }, { profile }) => {
    const found = typeof usage === 'object' ? usage : undefined;
    const member = (count: Found<number> | undefined): string | undefined =>
      found && count && memberOfUsage(count, found);
    const places = {
      'response.fields': Object.keys(body).toSorted(),
      'response.finish_reason': pointerOf(first?.finishReason),
      'response.usage': found?.pointer,
      'response.usage.input': member(found?.input),
      'response.usage.output': member(found?.output),
      'response.usage.total': member(found?.total),
    };
    return observed(...observationsOf(places, profile));
  }),
});
