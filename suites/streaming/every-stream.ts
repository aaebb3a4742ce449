import type { Invariant } from '../kit/model/invariant.ts';
import { servedChatInvariant } from '../kit/judging/served-chat-invariant.ts';
import { streamFinishReasonReturned } from './stream-finish-reason-returned.ts';
import { streamIsEventStream } from './stream-is-event-stream.ts';
import { streamIsWhole } from './stream-is-whole.ts';
import { streamUsageReturned } from './stream-usage-returned.ts';

const SAME_RESULT =
  'a stream emits the result of the same request, of which finish reason and usage are a part';

export const everyStreamIsEventStream: Invariant = servedChatInvariant({
  id: 'every-stream-is-event-stream',
  clauses: ['STR-1'],
  title:
    'answers every chat with stream true that it serves by server-sent events, whatever its model and key',
  holds: streamIsEventStream.holds,
});

export const everyStreamIsWhole: Invariant = servedChatInvariant({
  id: 'every-stream-is-whole',
  clauses: ['STR-3'],
  title: 'emits every stream well-formed and to its end, whatever its model and key',
  holds: streamIsWhole.holds,
});

export const everyStreamSaysFinish: Invariant = servedChatInvariant({
  id: 'every-stream-says-finish',
  clauses: ['RES-3'],
  title: 'says in every stream why its text finished, whatever its model and key',
  because: SAME_RESULT,
  holds: streamFinishReasonReturned.holds,
});

export const everyStreamReportsUsage: Invariant = servedChatInvariant({
  id: 'every-stream-reports-usage',
  clauses: ['RES-4'],
  title: 'reports usage in every stream, whatever its model and key',
  because: SAME_RESULT,
  holds: streamUsageReturned.holds,
});
