import { expect, test } from 'vitest';
import { answered } from '../kit/test-support/exchange.ts';
import { surveyForTest } from '../kit/test-support/survey.ts';
import { answerOf } from '../kit/reading/answers.ts';
import { readStream } from '../kit/reading/streams/read-stream.ts';
import { deliveryOf, shareOf } from './delivery.ts';

const TEXT = 'data: {"choices":[{"delta":{"content":"Hi."}}]}\n\n';
const ROLE = 'data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n';
const EMPTY = 'data: {"choices":[],"usage":null}\n\n';

/** How these events arrive, the first after 10 ms, and each other one 10 ms later. */
function delivery(...events: readonly string[]) {
  let upTo = 0;
  const pieces = events.map((event, i) => ({ at: 10 * (i + 1), upTo: (upTo += event.length) }));
  return deliveryOf(readStream(answerOf(answered({ body: events.join(''), pieces })), surveyForTest()));
}

test('measures from the first piece of the result to the last piece of text', () => {
  expect(delivery(TEXT, TEXT, EMPTY)).toEqual({ duration: 20, spread: 10 });
  expect(delivery(ROLE, TEXT)).toEqual({ duration: 20, spread: 10 });
});

test('takes an event without a choice for no piece of the result', () => {
  expect(delivery(EMPTY, TEXT)).toEqual({ duration: 20, spread: 0 });
});

test('returns undefined given no text', () => {
  expect([delivery(ROLE), delivery(': wait\n\n'), delivery()]).toEqual([undefined, undefined, undefined]);
  const unread = 'data: {"choices":[{"q":1}]}\n\n';
  expect(delivery(unread)).toBeUndefined();
});

test('returns the share of the time in which the result arrived, none of no time', () => {
  expect([shareOf({ duration: 200, spread: 50 }), shareOf({ duration: 0, spread: 0 })]).toEqual([0.25, 0]);
});
