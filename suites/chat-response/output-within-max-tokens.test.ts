import { expect, test } from 'vitest';
import type { Draft } from '../engine/model/exchange.ts';
import { answered, type AnswerForTest, eventStream } from '../engine/test-support/exchange.ts';
import { REFUSED, rulingsOf, SERVED, ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { outputWithinOneToken } from './output-within-max-tokens.ts';

const LONG = 'one '.repeat(100);
/** Whatever the text, the usage says that it is a token. */
const CHATTY: AnswerForTest = {
  body: { choices: [{ message: { content: LONG } }], usage: { completion_tokens: 1 } },
};

const isStreamed = ({ body }: Draft): boolean => String(body).includes('"stream":true');

const STREAM = eventStream({ choices: [{ delta: { content: LONG } }] });
/** Its count is in another unit. */
const counted = (content: string): AnswerForTest => ({
  body: { choices: [{ message: { content } }], usage: { output: 54 } },
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

test.each<[string, string, AnswerForTest, AnswerForTest]>([
  ['holds', 'a short text', SERVED, SERVED],
  ['holds', 'one beside a refused stream', SERVED, REFUSED],
  ['holds', 'one in a stream beside a refusal', REFUSED, SERVED],
  ['not-exercised', 'a service that has a larger minimum', REFUSED, REFUSED],
  ['violated', 'a text that no token holds, whatever usage says', CHATTY, CHATTY],
  ['violated', 'one that is streamed', SERVED, STREAM],
  ['violated', 'one beside a count in another unit', counted(LONG), counted(LONG)],
])('%s of each model given %s', async (kind, _, ...answers) => {
  const rulings = await rulingsOf(outputWithinOneToken, answering(...answers));
  expect(rulings.map((each) => each.kind)).toEqual(infoForTest().models.map(() => kind));
});

test('is not exercised where the stream has a count above the maximum that may be in another unit', async () => {
  const [ruling] = await rulingsOf(outputWithinOneToken, answering(SERVED, counted('one two')));
  expect(ruling).toMatchObject({ kind: 'not-exercised', hint: 'pin "response.usage.output" in a profile' });
});

test('says why it was not exercised given only what was sent', () => {
  const refused = answered(REFUSED, { model: 'small', messages: [], max_tokens: 1 });
  expect(ruled(outputWithinOneToken, { exchanges: [refused] })).toMatchObject({
    reason: 'the request was refused: status 400',
  });
});
