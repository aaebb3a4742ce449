import { judgeChoices, judgeStreamWithText } from '../engine/inputs/judging/judged-answers.ts';
import { judgeUsage } from '../engine/inputs/judging/observations.ts';
import { everyServedChat } from '../engine/inputs/judging/served-chat-invariant.ts';
import { acceptedChats } from '../engine/inputs/provoking/accepted-chats-stimulus.ts';
import { check } from '../engine/model/check.ts';
import { HOLDS, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import { jsonText, valueAt } from '../engine/reading/json.ts';

const SAME_RESULT =
  'a stream emits the result of the same request, of which finish reason and usage are a part';

function unrecognisedReason(where: 'response' | 'stream'): Ruling {
  const reason = 'members with unknown names may hold the finish reason';
  return notExercised(reason, `pin "${where}.finish_reason" in a profile`);
}

export const finishReasonReturned = check({
  id: 'finish-reason-returned',
  clauses: ['RES-3'],
  title: 'returns a finish reason for every choice',
  decides: 'in a response',
  given: acceptedChats,
  holds: judgeChoices((choices, { body }) => {
    const index = choices.findIndex(({ finishReason }) => finishReason === 'absent');
    if (index === -1)
      return choices.some(({ finishReason }) => finishReason === 'unrecognised')
        ? unrecognisedReason('response')
        : HOLDS;
    // The usual member may be there, and hold nothing.
    const held = valueAt(body, `/choices/${index}/finish_reason`);
    const none = 'no such member in the choice, its message or the response';
    const actual = held === undefined ? none : jsonText(held).slice(0, 60);
    return violated('no-finish-reason', 'a finish reason under any name', actual, `/choices/${index}`);
  }),
});

export const streamFinishReasonReturned = check({
  id: 'stream-finish-reason-returned',
  clauses: ['RES-3'],
  title: 'returns a finish reason in the stream of an accepted request',
  decides: 'in a stream',
  because: SAME_RESULT,
  given: acceptedChats,
  holds: judgeStreamWithText(({ finishReason, events, terminator = '[DONE]' }) => {
    if (typeof finishReason === 'object') return HOLDS;
    // Event names, or the data of the last event, may hold the finish reason instead of a member.
    const mayBeElsewhere = terminator !== '[DONE]' || events.some(({ name }) => name !== undefined);
    return finishReason === 'unrecognised' || mayBeElsewhere
      ? unrecognisedReason('stream')
      : violated('no-finish-reason', 'a finish reason in some event under any name', 'no such member');
  }),
});

export const usageReturned = check({
  id: 'usage-returned',
  clauses: ['RES-4'],
  title: 'reports usage in the response to an accepted request',
  decides: 'in a response',
  given: acceptedChats,
  holds: judgeChoices((_, { usage }) => judgeUsage(usage, 'response')),
});

export const streamUsageReturned = check({
  id: 'stream-usage-returned',
  clauses: ['RES-4'],
  title: 'reports usage in the stream of an accepted request',
  decides: 'in a stream',
  because: SAME_RESULT,
  given: acceptedChats,
  holds: judgeStreamWithText(({ usage }) => judgeUsage(usage, 'stream')),
});

export const everyResponseSaysFinish = everyServedChat(finishReasonReturned, {
  id: 'every-response-says-finish',
  title: 'returns a finish reason for every choice of every response, for any model and key',
});

export const everyResponseReportsUsage = everyServedChat(usageReturned, {
  id: 'every-response-reports-usage',
  title: 'reports usage in every response, for any model and key',
});

export const everyStreamSaysFinish = everyServedChat(streamFinishReasonReturned, {
  id: 'every-stream-says-finish',
  title: 'returns a finish reason in every stream, for any model and key',
});

export const everyStreamReportsUsage = everyServedChat(streamUsageReturned, {
  id: 'every-stream-reports-usage',
  title: 'reports usage in every stream, for any model and key',
});
