import { expect, test } from 'vitest';
import type { Exchange } from '../engine/model/exchange.ts';
import {
  answered,
  type AnswerForTest,
  brokenOff,
  errorAnswer,
  eventStream,
  unanswered,
} from '../engine/test-support/exchange.ts';
import { ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { refusalIsNoStream, noRefusalInStream } from './refusal-is-no-stream.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const MUTANT = { ...CHAT, top_p: 1 };
const SERVED = answered({ body: { choices: [{ message: { content: 'Hi.' } }] } }, CHAT);
function ruling(
  plain: AnswerForTest,
  streamed: AnswerForTest,
  counterpart = SERVED,
  streamedCounterpart = SERVED,
) {
  const exchanges = [answered(plain, MUTANT), answered(streamed, STREAMED_MUTANT), streamedCounterpart];
  return ruled(refusalIsNoStream, { exchanges, counterpart });
}

const ERROR_IN_STREAM = eventStream({ error: { code: 'a', message: 'No.' } });
const COMPLETION = eventStream({ choices: [{ delta: { content: 'Hi.' } }] });

test.each<[string, AnswerForTest, string?]>([
  ['a served stream', COMPLETION, 'accepted'],
  ['an error inside a stream', ERROR_IN_STREAM, 'streamed'],
  ['one of status 400', { ...ERROR_IN_STREAM, status: 400 }, 'streamed'],
  ['no error object', { status: 400, body: 'No.' }, 'no-error-object'],
  ['another code', errorAnswer('b'), 'another-code'],
])('violated given %s', (_, streamed, code) => {
  expect(ruling(errorAnswer('a'), streamed)).toMatchObject({
    kind: 'violated',
    finding: { code, exchange: 1 },
  });
});
const OTHER_WORDS = { status: 400, body: { error: { code: 'a', message: 'Other.', request_id: 's' } } };
const PAGE = { status: 413, body: '<h1>Too large</h1>' };
const LIMITED = errorAnswer('rate_limit', 429);
const NO_STREAMS = answered(errorAnswer('c'), { ...CHAT, stream: true });

test.each<[string, string, ...Parameters<typeof ruling>]>([
  ['holds', 'the same error in other words', errorAnswer('a'), OTHER_WORDS],
  ['not-exercised', 'a plain request that is served', { body: { choices: [] } }, errorAnswer('a')],
  [
    'not-exercised',
    'a refused counterpart',
    errorAnswer('a'),
    errorAnswer('b'),
    answered(errorAnswer('c'), CHAT),
  ],
  ['not-exercised', 'a service that streams nothing', errorAnswer('a'), errorAnswer('c'), SERVED, NO_STREAMS],
  ['not-exercised', 'a plain refusal that is a page', PAGE, errorAnswer('a')],
  ['not-exercised', 'the same page twice', PAGE, PAGE],
  ['inconclusive', 'a failure', errorAnswer('a'), { status: 500, body: '' }],
  ['inconclusive', 'a rate limit error with stream', errorAnswer('a'), LIMITED],
  ['inconclusive', 'a rate limit error without', LIMITED, errorAnswer('a')],
])('%s given %s', (kind, _, ...answers) => {
  expect(ruling(...answers).kind).toBe(kind);
});

const BEGUN = eventStream({ choices: [] });
const STREAMED_MUTANT = { ...MUTANT, stream: true };
const broken = (begun: AnswerForTest): Exchange => brokenOff(answered(begun, STREAMED_MUTANT));

/** The ruling on a trial with one uncertain outcome. */
function told(plain: Exchange, streamed: Exchange, counterpart: Exchange = SERVED) {
  return ruled(refusalIsNoStream, { exchanges: [plain, streamed], counterpart });
}

const REFUSED = answered(errorAnswer('a'), MUTANT);

test('violated given a stream that was begun and then broken off, where the request is refused without', () => {
  expect(told(REFUSED, broken(BEGUN))).toMatchObject({
    kind: 'violated',
    finding: { code: 'streamed', path: 'content-type', exchange: 1 },
  });
});

test.each<[string, string, ...Parameters<typeof told>]>([
  ['a request that is served without stream', 'not-exercised', SERVED, broken(BEGUN)],
  ['a refused counterpart', 'not-exercised', REFUSED, broken(BEGUN), REFUSED],
  ['no stream', 'inconclusive', REFUSED, broken({ body: '{"error":' })],
  ['an error that was told as a stream', 'inconclusive', REFUSED, broken({ ...BEGUN, status: 300 })],
  ['nothing at all', 'inconclusive', REFUSED, unanswered(answered({}, STREAMED_MUTANT))],
  ['a plain request without an answer', 'inconclusive', broken(BEGUN), broken(BEGUN)],
])('says of an uncertain outcome, given %s: %s', (_, kind, ...trial) => {
  expect(told(...trial).kind).toBe(kind);
});

test('not exercised given a trial of which a part was not sent', () => {
  const streamed = answered(errorAnswer('b'), STREAMED_MUTANT);
  const parts = [
    { exchanges: [REFUSED], counterpart: SERVED },
    { exchanges: [REFUSED, streamed], counterpart: SERVED },
  ];
  const kinds = parts.map((trial) => ruled(refusalIsNoStream, trial).kind);
  expect(kinds).toEqual(parts.map(() => 'not-exercised'));
});

const TOLD_INSIDE = eventStream(errorAnswer('a').body);
const STREAMED_CHAT = { ...CHAT, stream: true };

test.each<[string | undefined, AnswerForTest, (object | string)?, object?]>([
  ['violated', TOLD_INSIDE],
  ['violated', { ...TOLD_INSIDE, status: 400 }],
  ['holds', errorAnswer('a')],
  [undefined, COMPLETION],
  [undefined, { status: 500, body: '' }],
  [undefined, TOLD_INSIDE, CHAT],
  [undefined, TOLD_INSIDE, STREAMED_CHAT, { path: '/responses' }],
  [undefined, TOLD_INSIDE, '{"stream":true'],
])('no-refusal-in-stream: is %s given %j to %j', (kind, answer, chat = STREAMED_CHAT, request = {}) => {
  const judged = noRefusalInStream.judge(infoForTest())(answered(answer, chat, request));
  expect(judged?.kind).toBe(kind);
  const finding = { code: 'streamed', path: 'content-type' };
  expect(judged ?? {}).toMatchObject(kind === 'violated' ? { finding } : {});
});
