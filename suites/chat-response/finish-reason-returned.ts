import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { check } from '../kit/model/check.ts';
import { HOLDS, notExercised, violated } from '../kit/model/ruling.ts';
import { ofChoices } from './judge-response.ts';

export const finishReasonReturned = check({
  id: 'finish-reason-returned',
  clauses: ['RES-3'],
  title: 'says of every choice why it finished',
  given: acceptedChats,
  holds: ofChoices((choices) => {
    const index = choices.findIndex(({ finishReason }) => finishReason === 'absent');
    if (index !== -1) {
      const actual = 'no member of the choice, its message or the response can be one';
      return violated('no-finish-reason', 'a finish reason, under any name', actual, `/choices/${index}`);
    }
    if (choices.every(({ finishReason }) => finishReason !== 'unrecognised')) return HOLDS;
    return notExercised(
      'there are members that may be the finish reason, under names nobody foresaw',
      'pin "response.finish_reason" in a profile',
    );
  }),
});
