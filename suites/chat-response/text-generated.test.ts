import { expect, test } from 'vitest';
import { answered, type AnswerForTest, eventStream } from '../engine/test-support/exchange.ts';
import { ruled, senderForTest } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { choicesCarryText } from './response-parts.ts';
import { streamedTextGenerated, textGenerated } from './text-generated.ts';

const INFO = infoForTest();

interface Asked {
  readonly stream?: boolean;
  readonly max_tokens?: number;
}

function response(content: string, tokens: number): AnswerForTest {
  return { body: { choices: [{ message: { content } }], usage: { completion_tokens: tokens } } };
}

function stream(content: string, tokens: number): AnswerForTest {
  return eventStream({ choices: [{ delta: { content } }], usage: { completion_tokens: tokens } });
}

/** How many chats a service gets that answers in this way, and the rulings of both checks. */
async function tried(answer: (chat: Asked) => AnswerForTest) {
  let sent = 0;
  const sender = senderForTest(({ body }) => {
    sent += 1;
    return answer(JSON.parse(String(body)));
  });
  const { given } = textGenerated;
  const trial = await given.send(given.inputs(INFO).examples[0], sender, INFO);
  return [sent, ruled(textGenerated, trial, INFO).kind, ruled(streamedTextGenerated, trial, INFO).kind];
}

const writing =
  (text: (most: number) => string, tokens: number) =>
  ({ stream: isStreamed, max_tokens: most = 0 }: Asked): AnswerForTest =>
    isStreamed === true ? stream(text(most), tokens) : response(text(most), tokens);

const FULL = writing(() => '', 16);
const narrow = (chat: Asked): AnswerForTest =>
  (chat.max_tokens ?? 0) > 100 ? { status: 400, body: {} } : FULL(chat);
const deaf = ({ stream: isStreamed }: Asked): AnswerForTest =>
  isStreamed === true ? stream('', 16) : response('Hello.', 16);

test.each<[string, (chat: Asked) => AnswerForTest, number, string, string]>([
  ['a text', writing(() => 'Hello.', 3), 2, 'holds', 'holds'],
  ['an empty one without tokens', writing(() => '', 0), 2, 'not-exercised', 'not-exercised'],
  ['one where there is room', writing((most) => (most > 100 ? 'Hello.' : ''), 16), 4, 'holds', 'holds'],
  ['tokens and no text, with room too', FULL, 4, 'violated', 'violated'],
  ['a stream in any case', () => stream('Hello.', 3), 2, 'not-exercised', 'holds'],
  ['no stream in any case', () => response('Hello.', 3), 2, 'holds', 'not-exercised'],
  ['a text, but not in a stream', deaf, 3, 'holds', 'violated'],
  ['a refusal of the room', narrow, 4, 'inconclusive', 'inconclusive'],
])(
  'given %s, sends %i chats and rules on the text and on the streamed one',
  async (_, answer, ...expected) => {
    expect(await tried(answer)).toEqual(expected);
  },
);

test('takes an empty text beside tokens for no pass of the text in a choice', () => {
  const rule = (answer: AnswerForTest) =>
    ruled(choicesCarryText, { exchanges: [answered(answer)] }, INFO).kind;
  expect([response('Hi.', 2), response('', 0), response('', 2)].map(rule)).toEqual([
    'holds',
    'holds',
    'inconclusive',
  ]);
});
