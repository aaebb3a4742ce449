import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { check } from '../kit/model/check.ts';
import { judgeUsage } from '../kit/judging/usage-ruling.ts';
import { ofChoices } from './judge-response.ts';

export const usageReturned = check({
  id: 'usage-returned',
  clauses: ['RES-4'],
  title: 'reports usage in the response to an accepted chat',
  given: acceptedChats,
  holds: ofChoices((_, { usage }) =>
    judgeUsage(usage, { expected: 'usage, under any name', pin: 'response.usage' }),
  ),
});
