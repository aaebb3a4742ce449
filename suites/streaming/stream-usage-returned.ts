import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { check } from '../kit/check.ts';
import { HOLDS, notExercised, violated } from '../kit/ruling.ts';
import { ofRecognisedStream } from './judge-stream.ts';

export const streamUsageReturned = check({
  id: 'stream-usage-returned',
  clauses: ['RES-4'],
  title: 'reports usage in the stream that answers an accepted chat',
  because: 'a stream emits the result of the same request, and usage is a part of that result',
  given: acceptedChats,
  holds: ofRecognisedStream(({ usage }) => {
    if (usage === 'absent')
      return violated('no-usage', 'usage in some event, under any name', 'no number that can report it');
    if (usage !== 'unrecognised') return HOLDS;
    return notExercised(
      'numbers that may report usage, under names nobody foresaw',
      'pin "stream.usage" in a profile',
    );
  }),
});
