import type { JsonObject } from '../../fixtures/chats/chat.ts';
import { judgeUsage, observationsOf } from '../engine/inputs/judging/observations.ts';
import { everyServedChat } from '../engine/inputs/judging/served-chat-invariant.ts';
import { acceptedChats } from '../engine/inputs/provoking/accepted-chats-stimulus.ts';
import { check } from '../engine/model/check.ts';
import { HOLDS, notExercised, violated, observed } from '../engine/model/ruling.ts';
import { memberOfUsage } from '../engine/reading/completions/find-usage.ts';
import { jsonText, valueAt } from '../engine/reading/json.ts';
import { pointerOf } from '../engine/reading/locate.ts';
import { judgeChoices } from './choices-returned.ts';

export const finishReasonReturned = check({
  id: 'finish-reason-returned',
  clauses: ['RES-3'],
  title: 'returns a finish reason for every choice',
  decides: 'in a response',
  given: acceptedChats,
  holds: judgeChoices((choices, { body }) => {
    const index = choices.findIndex(({ finishReason }) => finishReason === 'absent');
    if (index !== -1) {
      const actual = withoutReason(body, index);
      return violated('no-finish-reason', 'a finish reason under any name', actual, `/choices/${index}`);
    }
    if (choices.every(({ finishReason }) => finishReason !== 'unrecognised')) return HOLDS;
    return notExercised(
      'members with unknown names may hold the finish reason',
      'pin "response.finish_reason" in a profile',
    );
  }),
});

/** The usual member may be there, and hold nothing. */
function withoutReason(body: JsonObject, index: number): string {
  const held = valueAt(body, `/choices/${index}/finish_reason`);
  return held === undefined
    ? 'no such member in the choice, its message or the response'
    : jsonText(held).slice(0, 60);
}

export const usageReturned = check({
  id: 'usage-returned',
  clauses: ['RES-4'],
  title: 'reports usage in the response to an accepted request',
  decides: 'in a response',
  given: acceptedChats,
  holds: judgeChoices((_, { usage }) =>
    judgeUsage(usage, { expected: 'usage under any name', pin: 'response.usage' }),
  ),
});

export const everyResponseSaysFinish = everyServedChat(finishReasonReturned, {
  id: 'every-response-says-finish',
  title: 'returns a finish reason for every choice of every response, for any model and key',
});

export const everyResponseReportsUsage = everyServedChat(usageReturned, {
  id: 'every-response-reports-usage',
  title: 'reports usage in every response, for any model and key',
});

export const responseNames = check({
  id: 'response-names',
  clauses: ['RES-6'],
  title: 'chooses the names of the finish reason, the usage and the other fields of a response',
  given: acceptedChats,
  holds: judgeChoices(([first], { body, usage }, { profile }) => {
    const found = typeof usage === 'object' ? usage : undefined;
    const member = (kind: 'input' | 'output' | 'total'): string | undefined => {
      const count = found?.[kind];
      return found && count && memberOfUsage(count, found);
    };
    const places = {
      'response.fields': Object.keys(body).toSorted(),
      'response.finish_reason': pointerOf(first?.finishReason),
      'response.usage': found?.pointer,
      'response.usage.input': member('input'),
      'response.usage.output': member('output'),
      'response.usage.total': member('total'),
    };
    return observed(...observationsOf(places, profile));
  }),
});
