import { judgeChoices, judgeStreamWithText } from '../engine/inputs/judging/judged-answers.ts';
import { judgeUsage } from '../engine/inputs/judging/observations.ts';
import {
  everyServedChat,
  faithfulChat,
  MANY,
  ofAll,
  rightOnce,
} from '../engine/inputs/judging/served-chat-invariant.ts';
import { acceptedChats } from '../engine/inputs/provoking/accepted-chats-stimulus.ts';
import { check, type Invariant } from '../engine/model/check.ts';
import { type Exchange, isCutShort } from '../engine/model/exchange.ts';
import { HOLDS, notExercised, type Ruling, violated } from '../engine/model/ruling.ts';
import type { TargetInfo } from '../engine/model/target.ts';
import { isSuccess } from '../engine/reading/answers.ts';
import { COUNT_KINDS, countsIn } from '../engine/reading/completions/read-completion.ts';
import { type Found, jsonText, valueAt } from '../engine/reading/json.ts';
import { isEventStreamType, readResult } from '../engine/reading/streams/read-stream.ts';

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

/** The largest count of tokens beside a text. */
interface Reported {
  readonly exchange: Exchange;
  readonly kind: 'whole answers' | 'streams';
  readonly count: Found<number>;
}

/** One answer may report 0, for whatever reason; a text that never took a token was not counted. */
export const usageNotAlwaysZero: Invariant = {
  id: 'usage-not-always-zero',
  clauses: ['RES-4'],
  title: 'reports a token count above 0 for some response and for some stream with a text',
  ofWholeRun: true,
  thresholds: { 'answers of one kind that must all count 0 tokens to fail': MANY },
  unexercised: `a verdict needs a text with a token count above 0, or ${MANY} answers of one kind with a text and a count of 0, see RES-4`,
  ...ofAll(reportedIn, (reported) =>
    (['whole answers', 'streams'] as const).flatMap((kind) => {
      const all = reported.filter((each) => each.kind === kind);
      const counted = all.find(({ count }) => count.value > 0);
      const actual = `0, as in all ${all.length} ${kind} with a text`;
      return rightOnce(all, counted, ({ count: { pointer } }) =>
        violated('zero-usage', 'a token count above 0 for a text', actual, pointer),
      );
    }),
  ),
};

function reportedIn(exchange: Exchange, info: TargetInfo): Reported | undefined {
  const { outcome, request } = exchange;
  if (outcome.kind !== 'answered' || !isSuccess(outcome.answer) || isCutShort(outcome.answer))
    return undefined;
  if (faithfulChat(request, info) === undefined) return undefined;
  const { texts, usage } = readResult(outcome.answer, info);
  const counts = COUNT_KINDS.flatMap((kind) => countsIn(usage)[kind] ?? []);
  const [count] = counts.toSorted((one, other) => other.value - one.value);
  if (texts.join('') === '' || count === undefined) return undefined;
  const kind = isEventStreamType(outcome.answer) ? 'streams' : 'whole answers';
  return { exchange, kind, count };
}
