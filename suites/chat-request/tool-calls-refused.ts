import { toolCalls, toolCallsFirst } from '../../fixtures/invalid/tool-calls.ts';
import { check } from '../kit/model/check.ts';
import { isRefused } from '../kit/judging/is-refused.ts';
import { refusals } from '../kit/provoking/refusal-stimulus.ts';

export const toolCallsRefused = check({
  id: 'tool-calls-refused',
  clauses: ['SVC-5'],
  title: 'refuses a chat with anything that belongs to tool calls',
  given: refusals({ name: 'tool-calls', few: 11, steady: 8, first: toolCallsFirst, drawn: toolCalls }),
  holds: isRefused('SVC-5'),
});
