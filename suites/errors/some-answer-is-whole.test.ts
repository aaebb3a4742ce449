import { expect, test } from 'vitest';
import type { Exchange } from '../engine/model/exchange.ts';
import { type AnswerForTest, answered } from '../engine/test-support/exchange.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { someResponseIsWhole, someStreamIsWhole } from './every-answer.ts';

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

const RESPONSE = answered({ body: { choices: [] } }, CHAT);
const VIOLATED = Array<string>(3).fill('violated');
const gateway = [1, 2, 3].map(() => brokenOff(STREAMED, { status: 502 }));

test.each<[string, typeof someStreamIsWhole, readonly Exchange[], readonly string[]]>([
  ['streams that all break off', someStreamIsWhole, [RESPONSE, ...thrice(STREAMED)], VIOLATED],
  ['streams that all break off', someResponseIsWhole, [RESPONSE, ...thrice(STREAMED)], ['holds']],
  [
    'responses that all break off, and a refusal that came whole',
    someResponseIsWhole,
    [answered(REFUSAL, { ...CHAT, top_p: 1 }), ...thrice(CHAT)],
    VIOLATED,
  ],
  [
    'one that came whole, however many broke off',
    someStreamIsWhole,
    [...thrice(STREAMED), answered({ body: 'data: {}' }, STREAMED)],
    ['holds'],
  ],
  ['two', someStreamIsWhole, [RESPONSE, brokenOff(STREAMED), brokenOff(STREAMED)], []],
  ['nothing else that is answered', someStreamIsWhole, thrice(STREAMED), []],
  ['timeouts', someStreamIsWhole, [RESPONSE, ...[1, 2, 3].map(() => unanswered(STREAMED))], []],
  ['gateway errors', someStreamIsWhole, [RESPONSE, ...gateway], []],
  ['a rate limit error', someStreamIsWhole, [RESPONSE, answered({ status: 429 }, STREAMED)], []],
])('given %s, $1.id rules $3', (_, invariant, exchanges, expected) => {
  const judge = invariant.ofRun?.(infoForTest());
  for (const exchange of exchanges) judge?.note(exchange);
  expect(judge?.rulings().map(([, { kind }]) => kind)).toEqual(expected);
});
