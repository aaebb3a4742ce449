import { expect, test } from 'vitest';
import { type AnswerForTest, answered } from '../../test-support/exchange.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { isServed, notServed } from './is-served.ts';

const COMPLETION: AnswerForTest = { body: { choices: [] } };
const ERROR: AnswerForTest = { body: { error: { code: 'x', message: 'y' } } };

test.each<[expected: string, AnswerForTest]>([
  ['holds', COMPLETION],
  ['refused', { status: 400 }],
  ['failed', { status: 500 }],
  ['redirected', { status: 300 }],
  ['redirected', { status: 302 }],
  ['inconclusive', { status: 402 }],
  ['inconclusive', { status: 429 }],
  ['inconclusive', { status: 503 }],
  ['inconclusive', { body: { text: 'Hi.' } }],
])('must be served: %s, or violated with that code, given %j', (expected, answer) => {
  const ruling = isServed(answered(answer), infoForTest());
  expect(ruling.kind === 'violated' ? ruling.finding.code : ruling.kind).toBe(expected);
});

test.each<[reason: string | undefined, kind: string | undefined, AnswerForTest]>([
  ['the request was refused: status 400', 'not-exercised', { status: 400, body: '' }],
  ['the request was refused: status 200', 'not-exercised', ERROR],
  ['the service failed: status 500', 'inconclusive', { status: 500 }],
  ['neither accepted nor refused: status 302', 'inconclusive', { status: 302 }],
  ['neither accepted nor refused: status 101', 'inconclusive', { status: 101 }],
  // A success is an answer to judge, a completion or not.
  [undefined, undefined, COMPLETION],
  [undefined, undefined, { body: '<html>' }],
  [undefined, undefined, { status: 299 }],
])('holds no completion, because %s: %s, given %j', (reason, kind, answer) => {
  const ruling = notServed(answered(answer), infoForTest());
  expect(ruling).toEqual(kind && { kind, reason });
});
