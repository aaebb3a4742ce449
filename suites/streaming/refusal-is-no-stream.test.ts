import { expect, test } from 'vitest';
import type { Exchange } from '../kit/model/exchange.ts';
import { type AnswerForTest, answered } from '../kit/test-support/exchange.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { refusalIsNoStream, noRefusalInStream } from './refusal-is-no-stream.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const MUTANT = { ...CHAT, top_p: 1 };
const SERVED = answered({ body: { choices: [{ message: { content: 'Hi.' } }] } }, CHAT);
const EVENT_STREAM = { 'content-type': 'text/event-stream' };

function refusal(code: string, status = 400): AnswerForTest {
  return { status, body: { error: { code, message: 'No.', request_id: 'r' } } };
}

function ruling(
  plain: AnswerForTest,
  streamed: AnswerForTest,
  counterpart = SERVED,
  streamedCounterpart = SERVED,
) {
  const exchanges = [
    answered(plain, MUTANT),
    answered(streamed, { ...MUTANT, stream: true }),
    streamedCounterpart,
  ];
  return refusalIsNoStream.holds({ exchanges, counterpart }, infoForTest());
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
  expect(ruling(refusal('a'), streamed)).toMatchObject({ kind: 'violated', finding: { code, exchange: 1 } });
});

test('says that the content type shows a stream', () => {
  const streamed = { status: 400, body: 'data: {}\n\n', headers: EVENT_STREAM };
  expect(ruling(refusal('a'), streamed)).toMatchObject({ finding: { path: 'content-type' } });
});

test('not exercised when it is served without stream too, or its counterpart is refused', () => {
  expect(ruling({ body: { choices: [] } }, refusal('a')).kind).toBe('not-exercised');
  expect(ruling(refusal('a'), refusal('b'), answered(refusal('c'), CHAT)).kind).toBe('not-exercised');
  const noStreams = answered(refusal('c'), { ...CHAT, stream: true });
  expect(ruling(refusal('a'), refusal('c'), SERVED, noStreams).kind).toBe('not-exercised');
});

const BEGUN = { body: 'data: {"choices":[]}\n\n', headers: EVENT_STREAM };

/** An answer that broke off; without a status if none arrived. */
function broken(begun?: AnswerForTest): Exchange {
  const { outcome, ...sent } = answered(begun, { ...MUTANT, stream: true });
  const received = begun !== undefined && outcome.kind === 'answered' ? { answer: outcome.answer } : {};
  return { ...sent, outcome: { kind: 'uncertain', reason: 'broke', ...received } };
}

/** The ruling on a trial with one uncertain outcome. */
function told(plain: Exchange, streamed: Exchange, counterpart: Exchange = SERVED) {
  return refusalIsNoStream.tellsUncertain?.({ exchanges: [plain, streamed], counterpart }, infoForTest());
}

const REFUSED = answered(refusal('a'), MUTANT);

test('violated given a stream that was begun and then broken off, where the request is refused without', () => {
  expect(told(REFUSED, broken(BEGUN))).toMatchObject({
    kind: 'violated',
    finding: { code: 'streamed', path: 'content-type', exchange: 1 },
  });
});

test('not exercised given a broken stream where the request is served without, or its counterpart is refused', () => {
  expect(told(SERVED, broken(BEGUN))?.kind).toBe('not-exercised');
  expect(told(REFUSED, broken(BEGUN), REFUSED)?.kind).toBe('not-exercised');
});

test.each([
  ['no stream', broken({ body: '{"error":' })],
  ['an error that was told as a stream', broken({ ...BEGUN, status: 300 })],
  ['nothing at all', broken()],
  ['a stream that ended', answered(BEGUN, { ...MUTANT, stream: true })],
])('decides nothing about an uncertain outcome given %s', (_, streamed) => {
  expect(told(REFUSED, streamed)).toBeUndefined();
});

test('decides nothing where the plain request or the counterpart was not answered, or not sent', () => {
  expect(told(broken(BEGUN), broken(BEGUN))).toBeUndefined();
  expect(told(REFUSED, broken(BEGUN), broken(BEGUN))).toBeUndefined();
  const { tellsUncertain } = refusalIsNoStream;
  const some = [
    { exchanges: [REFUSED, broken(BEGUN)] },
    { exchanges: [REFUSED], counterpart: SERVED },
    { exchanges: [], counterpart: SERVED },
  ];
  expect(some.map((trial) => tellsUncertain?.(trial, infoForTest()))).toEqual(some.map(() => undefined));
});

test('not exercised given a trial of which a part was not sent', () => {
  const streamed = answered(refusal('b'), { ...MUTANT, stream: true });
  const parts = [
    { exchanges: [], counterpart: SERVED },
    { exchanges: [REFUSED], counterpart: SERVED },
    { exchanges: [REFUSED, streamed], counterpart: SERVED },
    { exchanges: [REFUSED, streamed, SERVED] },
  ];
  const kinds = parts.map((trial) => refusalIsNoStream.holds(trial, infoForTest()).kind);
  expect(kinds).toEqual(parts.map(() => 'not-exercised'));
});

test('not exercised given a refusal without stream that holds no error object to compare with', () => {
  const page = { status: 413, body: '<h1>Too large</h1>' };
  expect(ruling(page, refusal('a'))).toMatchObject({
    kind: 'not-exercised',
    reason: expect.stringContaining('ERR-1'),
  });
  expect(ruling(page, page).kind).toBe('not-exercised');
});

test('inconclusive when the service failed or its rate limit answered', () => {
  expect(ruling(refusal('a'), { status: 500, body: '' }).kind).toBe('inconclusive');
  expect(ruling(refusal('a'), refusal('rate_limit', 429)).kind).toBe('inconclusive');
  expect(ruling(refusal('rate_limit', 429), refusal('a')).kind).toBe('inconclusive');
});

const ERROR = { error: { code: 'a', message: 'No.', request_id: 'r' } };
const headers = { 'content-type': 'text/event-stream' };
const TOLD_INSIDE = { body: `data: ${JSON.stringify(ERROR)}\n\n`, headers };

const judge = noRefusalInStream.judge(infoForTest());
const STREAMED_CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }], stream: true };

function invariantRuling(answer: AnswerForTest, stream = true) {
  return judge(answered(answer, { ...STREAMED_CHAT, stream }))?.kind;
}

test('is violated given an error inside an event stream, whatever its status', () => {
  expect([invariantRuling(TOLD_INSIDE), invariantRuling({ ...TOLD_INSIDE, status: 400 })]).toEqual([
    'violated',
    'violated',
  ]);
});

test('holds given an error object', () => {
  expect(invariantRuling({ status: 400, body: ERROR })).toBe('holds');
});

test('ignores answers that were served or failed, and requests without a stream', () => {
  const served = { body: 'data: {"choices":[{"delta":{"content":"Hi."}}]}\n\n', headers };
  expect([
    invariantRuling(served),
    invariantRuling({ status: 500, body: '' }),
    invariantRuling(TOLD_INSIDE, false),
  ]).toEqual([undefined, undefined, undefined]);
});

test('ignores other paths, and requests that are no chats', () => {
  expect(judge(answered(TOLD_INSIDE, STREAMED_CHAT, { path: '/responses' }))).toBeUndefined();
  expect(judge(answered(TOLD_INSIDE, '{"stream":true'))).toBeUndefined();
});

test('names the header that shows a stream', () => {
  expect(judge(answered(TOLD_INSIDE, STREAMED_CHAT))).toMatchObject({
    finding: { code: 'streamed', path: 'content-type' },
  });
});
