import { expect, test } from 'vitest';
import type { Draft } from '../engine/model/exchange.ts';
import { HOLDS } from '../engine/model/ruling.ts';
import { type AnswerForTest, answered } from '../engine/test-support/exchange.ts';
import { kindsOf, REFUSED, rulingsOf, SERVED, ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { outputWithinOneToken } from './output-within-max-tokens.ts';

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

const answering = (whole: AnswerForTest, streamed: AnswerForTest) => (draft: Draft) =>
  isStreamed(draft) ? streamed : whole;

test('judges each of the two, and says which of them is too long', async () => {
  const [ofWhole] = await rulingsOf(outputWithinOneToken, answering(CHATTY, SERVED));
  const [ofStream] = await rulingsOf(outputWithinOneToken, answering(SERVED, CHATTY));
  expect(ofWhole).not.toHaveProperty('finding.exchange');
  expect(ofWhole).toMatchObject({ kind: 'violated', finding: { code: 'text-too-long' } });
  expect(ofStream).toMatchObject({ kind: 'violated', finding: { code: 'text-too-long', exchange: 1 } });
});

test('holds where either is short and the other refused', async () => {
  const each = infoForTest().models.map(() => HOLDS);
  expect(await rulingsOf(outputWithinOneToken, answering(SERVED, SERVED))).toEqual(each);
  expect(await rulingsOf(outputWithinOneToken, answering(SERVED, REFUSED))).toEqual(each);
  expect(await rulingsOf(outputWithinOneToken, answering(REFUSED, SERVED))).toEqual(each);
});

test('is not exercised where the stream has a count above the maximum that may be in another unit', async () => {
  const counted: AnswerForTest = {
    body: { choices: [{ message: { content: 'one two' } }], usage: { output: 54 } },
  };
  const [ruling] = await rulingsOf(outputWithinOneToken, answering(SERVED, counted));
  expect(ruling).toMatchObject({ kind: 'not-exercised', hint: 'pin "response.usage.output" in a profile' });
});

test('violated given a text that no token holds, beside a count in another unit', async () => {
  const body = { choices: [{ message: { content: LONG } }], usage: { output: 54 } };
  expect(await kindsOf(outputWithinOneToken, () => ({ body }))).toEqual(['violated']);
});

test('says why it was not exercised given only what was sent', () => {
  const refused = answered(REFUSED, { model: 'small', messages: [], max_tokens: 1 });
  expect(ruled(outputWithinOneToken, { exchanges: [refused] })).toMatchObject({
    reason: 'the request was refused: status 400',
  });
});
