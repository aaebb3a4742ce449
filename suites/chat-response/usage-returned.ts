import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { check } from '../kit/check.ts';
import { HOLDS, notExercised, violated } from '../kit/ruling.ts';
import { ofChoices } from './judge-response.ts';

export const usageReturned = check({
  id: 'usage-returned',
  clauses: ['RES-4'],
  title: 'reports usage in the response to an accepted chat',
  given: acceptedChats,
  holds: ofChoices((_, { usage }) => {
    if (usage === 'absent') {
      return violated('no-usage', 'usage, under any name', 'no number in the response can report it');
    }
    if (usage !== 'unrecognised') return HOLDS;
    return notExercised(
      'there are numbers that may report usage, under names nobody foresaw',
      'pin "response.usage" in a profile',
    );
  }),
});
