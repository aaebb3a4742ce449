import { expect, test } from 'vitest';
import type { Draft } from '../kit/draft.ts';
import { kindsOf, REFUSED, SERVED } from '../kit/for-test/rulings-for-test.ts';
import type { AnswerForTest } from '../kit/for-test/exchange-for-test.ts';
import { outputWithinOneToken } from './output-within-one-token.ts';

const LONG = 'one '.repeat(100);
/** Whatever the text, the usage says that it is a token. */
const CHATTY: AnswerForTest = {
  body: { choices: [{ message: { content: LONG } }], usage: { completion_tokens: 1 } },
};

const isStreamed = ({ body }: Draft): boolean => String(body).includes('"stream":true');

test('holds given a short text, and is not exercised given a service that has a larger minimum', async () => {
  expect(await kindsOf(outputWithinOneToken, () => SERVED)).toEqual(['holds']);
  expect(await kindsOf(outputWithinOneToken, () => REFUSED)).toEqual(['not-exercised']);
});

test('violated given a text that no token holds, whole or streamed, whatever usage says', async () => {
  expect(await kindsOf(outputWithinOneToken, () => CHATTY)).toEqual(['violated']);
  const stream: AnswerForTest = {
    headers: { 'content-type': 'text/event-stream' },
    body: `data: {"choices":[{"delta":{"content":"${LONG}"}}]}\n\n`,
  };
  const chattyStream = (draft: Draft): AnswerForTest => (isStreamed(draft) ? stream : SERVED);
  expect(await kindsOf(outputWithinOneToken, chattyStream)).toEqual(['violated']);
});
