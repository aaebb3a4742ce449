import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { check } from '../kit/model/check.ts';
import { judgeUsage } from '../kit/judging/usage-ruling.ts';
import { ofRecognisedStream } from './judge-stream.ts';

export const streamUsageReturned = check({
  id: 'stream-usage-returned',
  clauses: ['RES-4'],
  title: 'reports usage in the stream that answers an accepted chat',
  because: 'a stream emits the result of the same request, and usage is a part of that result',
  given: acceptedChats,
  holds: ofRecognisedStream(({ usage }) =>
    judgeUsage(usage, { expected: 'usage in some event, under any name', pin: 'stream.usage' }),
  ),
});
