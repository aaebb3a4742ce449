import { expect, test } from 'vitest';
import { answered } from '../engine/test-support/exchange.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { everyResponseIsNormal } from './chats-served.ts';

const STREAM = { headers: { 'content-type': 'text/event-stream' }, body: 'data: {"choices":[]}\n\n' };

function kind(options: object, answer: object): string | undefined {
  const chat = { model: 'sharp', messages: [{ role: 'user', content: 'Hi.' }], ...options };
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'key' };
  return everyResponseIsNormal.judge(infoForTest())(answered(answer, chat, { headers }))?.kind;
}

test('every-response-is-normal: holds given one response, and not given a stream that was not requested', () => {
  expect(kind({}, { body: { choices: [] } })).toBe('holds');
  expect(kind({}, STREAM)).toBe('violated');
  expect(kind({ stream: true }, STREAM)).toBeUndefined();
});
