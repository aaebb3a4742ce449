import { expect, test } from 'vitest';
import type { Exchange } from '../engine/model/exchange.ts';
import { type AnswerForTest, answered } from '../engine/test-support/exchange.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { someResponseIsWhole, someStreamIsWhole } from './some-answer-is-whole.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }] };
const STREAMED = { ...CHAT, stream: true };
const REFUSAL = { status: 400, body: { error: { code: 'x', message: 'No.' } } };

function brokenOff(chat: object, answer: AnswerForTest = {}): Exchange {
  const { outcome, ...exchange } = answered({ body: 'data: {', ...answer }, chat);
  if (outcome.kind !== 'answered') throw new TypeError('an answer was written by hand');
  return { ...exchange, outcome: { ...outcome, kind: 'uncertain', reason: 'the connection broke' } };
}

function unanswered(chat: object): Exchange {
  return { ...answered({}, chat), outcome: { kind: 'uncertain', reason: 'no complete answer' } };
}

const thrice = (chat: object): readonly Exchange[] => [1, 2, 3].map(() => brokenOff(chat));

function kinds(invariant: typeof someStreamIsWhole, ...exchanges: readonly Exchange[]) {
  const judge = invariant.ofRun?.(infoForTest());
  for (const exchange of exchanges) judge?.note(exchange);
  return judge?.rulings().map(([, { kind }]) => kind);
}

test('violated given streams that all break off while responses come whole', () => {
  const response = answered({ body: { choices: [] } }, CHAT);
  expect(kinds(someStreamIsWhole, response, ...thrice(STREAMED))).toEqual(Array(3).fill('violated'));
  expect(kinds(someResponseIsWhole, response, ...thrice(STREAMED))).toEqual(['holds']);
});

test('violated given responses that all break off while refusals come whole', () => {
  const refused = answered(REFUSAL, { ...CHAT, top_p: 1 });
  expect(kinds(someResponseIsWhole, refused, ...thrice(CHAT))).toEqual(Array(3).fill('violated'));
});

test('holds given one that came whole, however many broke off', () => {
  const stream = answered({ body: 'data: {}' }, STREAMED);
  expect(kinds(someStreamIsWhole, ...thrice(STREAMED), stream)).toEqual(['holds']);
});

test('says nothing of one or two, where nothing else is answered, nor of timeouts and gateway errors', () => {
  const response = answered({ body: { choices: [] } }, CHAT);
  expect(kinds(someStreamIsWhole, response, brokenOff(STREAMED), brokenOff(STREAMED))).toEqual([]);
  expect(kinds(someStreamIsWhole, ...thrice(STREAMED))).toEqual([]);
  expect(kinds(someStreamIsWhole, response, ...[1, 2, 3].map(() => unanswered(STREAMED)))).toEqual([]);
  const gateway = [1, 2, 3].map(() => brokenOff(STREAMED, { status: 502 }));
  expect(kinds(someStreamIsWhole, response, ...gateway)).toEqual([]);
  const limited = answered({ status: 429 }, STREAMED);
  expect(kinds(someStreamIsWhole, response, limited)).toEqual([]);
});
