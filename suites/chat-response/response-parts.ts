import { judgeChoices, judgeResponse, judgeStreamWithText } from '../engine/inputs/judging/judged-answers.ts';
import { judgeUsage, observationsOf } from '../engine/inputs/judging/observations.ts';
import { acceptedChats } from '../engine/inputs/provoking/accepted-chats-stimulus.ts';
import { check } from '../engine/model/check.ts';
import { HOLDS, notExercised, observed, type Ruling, violated } from '../engine/model/ruling.ts';
import { memberOfUsage } from '../engine/reading/completions/read-completion.ts';
import { type Found, jsonText, readJson, valueAt } from '../engine/reading/json.ts';
import { pointerOf } from '../engine/reading/locate.ts';
import { emptyBesideTokens } from './text-generated.ts';

const EXPECTED = 'a JSON object with a `choices` array of at least one choice';

export const responseHasChoices = check({
  id: 'response-has-choices',
  everywhere: 'every-response-has-choices',
  clauses: ['RES-1'],
  title: 'answers an accepted request with a JSON object whose choices array has at least one choice',
  given: acceptedChats,
  holds: judgeResponse((reading, answer) => {
    if (reading === undefined) {
      const body = readJson(answer);
      const actual = body.kind === 'no-json' ? body.reason : 'JSON that is not an object';
      return violated('no-object', EXPECTED, actual);
    }
    const { choices, body } = reading;
    if (choices?.length === 0)
      return violated('empty-choices', EXPECTED, 'an empty `choices` array', '/choices');
    if (choices !== undefined) return HOLDS;
    const actual = Object.hasOwn(body, 'choices') ? '`choices` that is not an array' : 'no `choices`';
    return violated('no-choices', EXPECTED, actual, '/choices');
  }),
});

// An empty text is valid: a model may generate nothing within its max_tokens. See `text-generated`.
export const choicesCarryText = check({
  id: 'choices-carry-text',
  everywhere: 'every-choice-carries-text',
  clauses: ['RES-2'],
  title: 'puts the generated text in the message content of every choice',
  decides: 'puts the content in each choice',
  given: acceptedChats,
  holds: emptyBesideTokens(
    judgeChoices((choices, { body }) => {
      const index = choices.findIndex(({ text }) => text === undefined);
      if (index === -1) return HOLDS;
      const pointer = `/choices/${index}/message/content`;
      const value = valueAt(body, pointer);
      const actual = value === undefined ? 'no `content`' : jsonText(value).slice(0, 80);
      return violated('no-text', 'text in `message.content` of each choice', actual, pointer);
    }),
  ),
});

export const responseNames = check({
  id: 'response-names',
  clauses: ['RES-6'],
  title: 'chooses the names of the finish reason, the usage and the other fields of a response',
  given: acceptedChats,
  holds: judgeChoices(([first], { body, usage }, { profile }) => {
    const found = typeof usage === 'object' ? usage : undefined;
    const member = (count: Found<number> | undefined): string | undefined =>
      found && count && memberOfUsage(count, found);
    const places = {
      'response.fields': Object.keys(body).toSorted(),
      'response.finish_reason': pointerOf(first?.finishReason),
      'response.usage': found?.pointer,
      'response.usage.input': member(found?.input),
      'response.usage.output': member(found?.output),
      'response.usage.total': member(found?.total),
    };
    return observed(...observationsOf(places, profile));
  }),
});

const SAME_RESULT =
  'a stream emits the result of the same request, of which finish reason and usage are a part';

function unrecognisedReason(where: 'response' | 'stream'): Ruling {
  const reason = 'members with unknown names may hold the finish reason';
  return notExercised(reason, `pin "${where}.finish_reason" in a profile`);
}

export const finishReasonReturned = check({
  id: 'finish-reason-returned',
  everywhere: 'every-response-says-finish',
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
  everywhere: 'every-stream-says-finish',
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
  everywhere: 'every-response-reports-usage',
  clauses: ['RES-4'],
  title: 'reports usage in the response to an accepted request',
  decides: 'in a response',
  given: acceptedChats,
  holds: judgeChoices((_, { usage }) => judgeUsage(usage, 'response')),
});

export const streamUsageReturned = check({
  id: 'stream-usage-returned',
  everywhere: 'every-stream-reports-usage',
  clauses: ['RES-4'],
  title: 'reports usage in the stream of an accepted request',
  decides: 'in a stream',
  because: SAME_RESULT,
  given: acceptedChats,
  holds: judgeStreamWithText(({ usage }) => judgeUsage(usage, 'stream')),
});
