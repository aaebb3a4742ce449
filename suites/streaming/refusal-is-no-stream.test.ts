import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../kit/for-test/exchange-for-test.ts';
import { surveyForTest } from '../kit/for-test/survey-for-test.ts';
import { refusalIsNoStream } from './refusal-is-no-stream.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const MUTANT = { ...CHAT, top_p: 1 };
const SERVED = answered({ body: { choices: [{ message: { content: 'Hi.' } }] } }, CHAT);
const EVENT_STREAM = { 'content-type': 'text/event-stream' };

function refusal(code: string, status = 400): AnswerForTest {
  return { status, body: { error: { code, message: 'No.', request_id: 'r' } } };
}

function ruling(plain: AnswerForTest, streamed: AnswerForTest, control = SERVED, twin = SERVED) {
  const exchanges = [answered(plain, MUTANT), answered(streamed, { ...MUTANT, stream: true }), twin];
  return refusalIsNoStream.holds({ exchanges, control }, surveyForTest());
}

test('holds given the same error object, whatever its message and request ID', () => {
  const streamed = { status: 400, body: { error: { code: 'a', message: 'Other.', request_id: 's' } } };
  expect(ruling(refusal('a'), streamed).kind).toBe('holds');
});

test.each([
  [
    'a served stream',
    { body: 'data: {"choices":[{"delta":{"content":"Hi."}}]}\n\n', headers: EVENT_STREAM },
    'accepted',
  ],
  [
    'an error inside a stream',
    { body: 'data: {"error":{"code":"a","message":"No."}}\n\n', headers: EVENT_STREAM },
    'streamed',
  ],
  [
    'an error inside a stream of status 400',
    { status: 400, body: 'data: {}\n\n', headers: EVENT_STREAM },
    'streamed',
  ],
  ['no error object', { status: 400, body: 'No.' }, 'no-error-object'],
  ['another code', refusal('b'), 'another-code'],
])('violated given %s', (_, streamed, code) => {
  expect(ruling(refusal('a'), streamed)).toMatchObject({ kind: 'violated', finding: { code } });
});

test('not exercised when it is served without stream too, or its accepted twin is refused', () => {
  expect(ruling({ body: { choices: [] } }, refusal('a')).kind).toBe('not-exercised');
  expect(ruling(refusal('a'), refusal('b'), answered(refusal('c'), CHAT)).kind).toBe('not-exercised');
  const noStreams = answered(refusal('c'), { ...CHAT, stream: true });
  expect(ruling(refusal('a'), refusal('c'), SERVED, noStreams).kind).toBe('not-exercised');
});

test('violated given a stream that was begun and then broken off, where the request is refused without', () => {
  const { tellsUncertain } = refusalIsNoStream;
  const tells = (plain: AnswerForTest, begun: AnswerForTest) => {
    const { outcome, ...sent } = answered(begun, { ...MUTANT, stream: true });
    if (outcome.kind !== 'answered') throw new TypeError('an answer was written by hand');
    const broken = { ...sent, outcome: { ...outcome, kind: 'uncertain', reason: 'broke' } } as const;
    return tellsUncertain?.(
      { exchanges: [answered(plain, MUTANT), broken], control: SERVED },
      surveyForTest(),
    );
  };
  const begun = { body: 'data: {"choices":[]}\n\n', headers: EVENT_STREAM };
  expect(tells(refusal('a'), begun)).toMatchObject({ kind: 'violated', finding: { code: 'streamed' } });
  expect(tells({ body: { choices: [] } }, begun)?.kind).toBe('not-exercised');
  expect(tells(refusal('a'), { body: '{"error":' })).toBeUndefined();
});

test('inconclusive when the service failed or its rate limit answered', () => {
  expect(ruling(refusal('a'), { status: 500, body: '' }).kind).toBe('inconclusive');
  expect(ruling(refusal('a'), refusal('rate_limit', 429)).kind).toBe('inconclusive');
});
