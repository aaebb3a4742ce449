import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { answerOf } from '../kit/reading/answers.ts';
import { check } from '../kit/model/check.ts';
import { readJson } from '../kit/reading/json.ts';
import { HOLDS, violated } from '../kit/model/ruling.ts';
import { ofResponse } from './judge-response.ts';

const EXPECTED = 'a JSON object with a `choices` array of at least one choice';

export const responseHasChoices = check({
  id: 'response-has-choices',
  clauses: ['RES-1'],
  title: 'answers an accepted chat with a JSON object whose choices array holds at least one choice',
  given: acceptedChats,
  holds: ofResponse((reading, _, exchange) => {
    if (reading === undefined) {
      const body = readJson(answerOf(exchange));
      return violated(
        'no-object',
        EXPECTED,
        body.kind === 'no-json' ? body.reason : 'the body is JSON, but no object',
      );
    }
    const { choices, body } = reading;
    if (choices === undefined) {
      const came = Object.hasOwn(body, 'choices') ? '`choices` is no array' : 'there is no `choices`';
      return violated('no-choices', EXPECTED, came, '/choices');
    }
    if (choices.length === 0) return violated('empty-choices', EXPECTED, '`choices` is empty', '/choices');
    return HOLDS;
  }),
});
