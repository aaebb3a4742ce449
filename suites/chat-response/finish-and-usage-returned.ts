import { servedChatInvariant } from '../kit/judging/served-chat-invariant.ts';
import { judgeUsage } from '../kit/judging/usage-ruling.ts';
import { check } from '../kit/model/check.ts';
import type { Invariant } from '../kit/model/invariant.ts';
import { HOLDS, notExercised, violated } from '../kit/model/ruling.ts';
import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { judgeChoices } from './judge-response.ts';

export const finishReasonReturned = check({
  id: 'finish-reason-returned',
  clauses: ['RES-3'],
  title: 'returns a finish reason for every choice',
  given: acceptedChats,
  holds: judgeChoices((choices) => {
    const index = choices.findIndex(({ finishReason }) => finishReason === 'absent');
    if (index !== -1) {
      const actual = 'no such member in the choice, its message or the response';
      return violated('no-finish-reason', 'a finish reason under any name', actual, `/choices/${index}`);
    }
    if (choices.every(({ finishReason }) => finishReason !== 'unrecognised')) return HOLDS;
    return notExercised(
      'members with unknown names may hold the finish reason',
      'pin "response.finish_reason" in a profile',
    );
  }),
});

export const usageReturned = check({
  id: 'usage-returned',
  clauses: ['RES-4'],
  title: 'reports usage in the response to an accepted request',
  given: acceptedChats,
  holds: judgeChoices((_, { usage }) =>
    judgeUsage(usage, { expected: 'usage under any name', pin: 'response.usage' }),
  ),
});

export const everyResponseSaysFinish: Invariant = servedChatInvariant({
  id: 'every-response-says-finish',
  clauses: ['RES-3'],
  title: 'returns a finish reason for every choice of every response, for any model and key',
  holds: finishReasonReturned.holds,
});

export const everyResponseReportsUsage: Invariant = servedChatInvariant({
  id: 'every-response-reports-usage',
  clauses: ['RES-4'],
  title: 'reports usage in every response, for any model and key',
  holds: usageReturned.holds,
});
