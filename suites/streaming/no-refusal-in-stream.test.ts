import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../kit/test-support/exchange.ts';
import { surveyForTest } from '../kit/test-support/survey.ts';
import { noRefusalInStream } from './no-refusal-in-stream.ts';

const ERROR = { error: { code: 'a', message: 'No.', request_id: 'r' } };
const headers = { 'content-type': 'text/event-stream' };
const TOLD_INSIDE = { body: `data: ${JSON.stringify(ERROR)}\n\n`, headers };

const judge = noRefusalInStream.judge(surveyForTest());
const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }], stream: true };

function ruling(answer: AnswerForTest, stream = true) {
  return judge(answered(answer, { ...CHAT, stream }))?.kind;
}

test('is violated given an error inside an event stream, whatever its status', () => {
  expect([ruling(TOLD_INSIDE), ruling({ ...TOLD_INSIDE, status: 400 })]).toEqual(['violated', 'violated']);
});

test('holds given an error object', () => {
  expect(ruling({ status: 400, body: ERROR })).toBe('holds');
});

test('says nothing of what was served, failed, or asked for no stream', () => {
  const served = { body: 'data: {"choices":[{"delta":{"content":"Hi."}}]}\n\n', headers };
  expect([ruling(served), ruling({ status: 500, body: '' }), ruling(TOLD_INSIDE, false)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('says nothing of other paths, and of what cannot be read as a chat', () => {
  expect(judge(answered(TOLD_INSIDE, CHAT, { path: '/responses' }))).toBeUndefined();
  expect(judge(answered(TOLD_INSIDE, '{"stream":true'))).toBeUndefined();
});

test('names the header that tells of a stream', () => {
  expect(judge(answered(TOLD_INSIDE, CHAT))).toMatchObject({
    finding: { code: 'streamed', path: 'content-type' },
  });
});
