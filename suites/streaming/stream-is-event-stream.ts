import { acceptedChats } from '../kit/provoking/accepted-chats-stimulus.ts';
import { check } from '../kit/model/check.ts';
import { isEventStreamType } from '../kit/reading/streams/read-stream.ts';
import { HOLDS, violated } from '../kit/model/ruling.ts';
import { ofStreamedChat } from './judge-stream.ts';

export const streamIsEventStream = check({
  id: 'stream-is-event-stream',
  clauses: ['STR-1'],
  title: 'answers an accepted chat with stream true by server-sent events',
  given: acceptedChats,
  holds: ofStreamedChat((answer) => {
    if (isEventStreamType(answer)) return HOLDS;
    const actual = answer.headers['content-type'] ?? 'no content type';
    return violated('no-event-stream', 'the content type text/event-stream', actual, 'content-type');
  }),
});
