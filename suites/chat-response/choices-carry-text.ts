import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { check } from '../kit/model/check.ts';
import { valueAt } from '../kit/reading/json.ts';
import { HOLDS, violated } from '../kit/model/ruling.ts';
import { ofChoices } from './judge-response.ts';

// An empty text is a text: a model may have nothing to say within its max_tokens.
export const choicesCarryText = check({
  id: 'choices-carry-text',
  clauses: ['RES-2'],
  title: 'puts the generated text into the message content of every choice',
  given: acceptedChats,
  holds: ofChoices((choices, { body }) => {
    const index = choices.findIndex(({ text }) => text === undefined);
    if (index === -1) return HOLDS;
    const pointer = `/choices/${index}/message/content`;
    const value = valueAt(body, pointer);
    const actual =
      value === undefined ? 'nothing is there' : `${JSON.stringify(value).slice(0, 80)} is there`;
    return violated('no-text', 'a text in `message.content` of each choice', actual, pointer);
  }),
});
