import { expect, test } from 'vitest';
import { everyStreamReportsUsage, everyStreamSaysFinish } from '../chat-response/finish-and-usage.ts';
import type { Invariant } from '../engine/model/check.ts';
import { type AnswerForTest, answered } from '../engine/test-support/exchange.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { everyStreamIsEventStream, everyStreamIsWhole } from './well-formed-stream.ts';

const TEXT = 'data: {"choices":[{"delta":{"content":"Hi."}}]}\n\n';
const FINISH = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n';
const USAGE = 'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n';
const DONE = 'data: [DONE]\n\n';

const stream = (body: string): AnswerForTest => ({ headers: { 'content-type': 'text/event-stream' }, body });

/** The ruling of an invariant on a stream of a model that a run uses little. */
function kind(invariant: Invariant, answer: AnswerForTest, options: object = {}): string | undefined {
  const messages = [{ role: 'user', content: 'Hi.' }];
  const chat = { model: 'sharp', messages, stream: true, ...options };
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'key' };
  return invariant.judge(infoForTest())(answered(answer, chat, { headers }))?.kind;
}

test.each([
  [everyStreamIsEventStream, { body: { choices: [{ message: { content: 'Hi.' } }] } }],
  [everyStreamIsWhole, stream((TEXT + FINISH + USAGE + DONE).slice(0, -1))],
  [everyStreamSaysFinish, stream(TEXT + USAGE + DONE)],
  [everyStreamReportsUsage, stream(TEXT + FINISH + DONE)],
])('$id: holds of a whole stream, and not of a broken one', (invariant, broken) => {
  expect(kind(invariant, stream(TEXT + FINISH + USAGE + DONE))).toBe('holds');
  expect(kind(invariant, broken)).toBe('violated');
  expect(kind(invariant, broken, { n: 1 })).toBeUndefined();
  expect(kind(invariant, broken, { stream: false })).toBeUndefined();
});
