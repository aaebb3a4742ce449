import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../test-support/exchange.ts';
import { askedWaitMs, isRateLimited } from './rate-limit-error.ts';

const LATER = { error: { code: 'E17', message: 'Later.' } };
const SOON = { 'retry-after': '1' };

test.each<[boolean, AnswerForTest]>([
  [true, { status: 429 }],
  [true, { status: 400, body: { code: 'rate_limit' } }],
  [true, { status: 403, body: { code: 'E17', message: 'Slow down.' } }],
  [true, { status: 503, body: { errorCode: 'slow_down' } }],
  [true, { status: 400, headers: SOON, body: '{"code":"E17"}' }],
  [true, { status: 200, headers: SOON, body: LATER }],
  [false, { status: 200, body: LATER }],
  [false, { status: 200, headers: SOON }],
  [false, { status: 400 }],
  [false, { status: 503 }],
  [false, { status: 500, headers: SOON }],
  [false, { status: 500, body: 'Internal error while slow down' }],
  // A key still in flight, and a body too large for now.
  [false, { status: 409, headers: SOON }],
  [false, { status: 413, headers: SOON }],
])('is a rate limit error: %j, given %j', (isLimited, answer) => {
  expect(isRateLimited(answered(answer).outcome)).toBe(isLimited);
});

test.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT', date: 'Sun, 06 Nov 1994 08:49:07 GMT' }, 30_000],
  [{ 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, 0],
  [{}, undefined],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
])('returns what is asked given %o', (headers, ms) => {
  expect(askedWaitMs({ headers })).toBe(ms);
});
