import { judgeUsage, observationsOf } from '../engine/inputs/judging/observations.ts';
import { everyServedChat } from '../engine/inputs/judging/served-chat-invariant.ts';
import { acceptedChats } from '../engine/inputs/provoking/accepted-chats-stimulus.ts';
import { check } from '../engine/model/check.ts';
import { HOLDS, notExercised, violated, observed } from '../engine/model/ruling.ts';
import { pointerOf } from '../engine/reading/locate.ts';
import { judgeStreamWithText, judgeStream } from './well-formed-stream.ts';

export const streamFinishReasonReturned = check({
  id: 'stream-finish-reason-returned',
  clauses: ['RES-3'],
  title: 'returns a finish reason in the stream of an accepted request',
  decides: 'in a stream',
  because: 'a stream emits the result of the same request, and the finish reason is a part of that result',
  given: acceptedChats,
  holds: judgeStreamWithText(({ finishReason, events, terminator }) => {
    if (typeof finishReason === 'object') return HOLDS;
    // Event names, or the data of the last event, may hold the finish reason instead of a member.
    const saidElsewhere =
      events.some(({ name }) => name !== undefined) || (terminator ?? '[DONE]') !== '[DONE]';
    if (finishReason === 'absent' && !saidElsewhere) {
      return violated('no-finish-reason', 'a finish reason in some event under any name', 'no such member');
    }
    return notExercised(
      'members with unknown names may hold the finish reason',
      'pin "stream.finish_reason" in a profile',
    );
  }),
});

export const streamUsageReturned = check({
  id: 'stream-usage-returned',
  clauses: ['RES-4'],
  title: 'reports usage in the stream of an accepted request',
  decides: 'in a stream',
  because: 'a stream emits the result of the same request, and usage is a part of that result',
  given: acceptedChats,
  holds: judgeStreamWithText(({ usage }) =>
    judgeUsage(usage, { expected: 'usage in some event under any name', pin: 'stream.usage' }),
  ),
});

const SAME_RESULT =
  'a stream emits the result of the same request, of which finish reason and usage are a part';

export const everyStreamSaysFinish = everyServedChat(streamFinishReasonReturned, {
  id: 'every-stream-says-finish',
  title: 'returns a finish reason in every stream, for any model and key',
  because: SAME_RESULT,
});

export const everyStreamReportsUsage = everyServedChat(streamUsageReturned, {
  id: 'every-stream-reports-usage',
  title: 'reports usage in every stream, for any model and key',
  because: SAME_RESULT,
});

export const streamFraming = check({
  id: 'stream-framing',
  clauses: ['STR-5'],
  title: 'chooses how to frame the events of a stream',
  given: acceptedChats,
  holds: judgeStream(({ framing, text, terminator, events, newline, finishReason, usage }, { profile }) =>
    observed(
      ...observationsOf(
        {
          'stream.framing': framing,
          'stream.text': text?.pointer,
          'stream.terminator': terminator ?? null,
          'stream.event_names': [...new Set(events.flatMap(({ name }) => name ?? []))].toSorted(),
          'stream.newline': newline,
          'stream.finish_reason': pointerOf(finishReason),
          'stream.usage': pointerOf(usage),
        },
        profile,
      ),
    ),
  ),
});
