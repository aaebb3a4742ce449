import { expect, test } from 'vitest';
import type { Draft, Exchange } from '../engine/model/exchange.ts';
import { type AnswerForTest, answered } from '../engine/test-support/exchange.ts';
import { ruled } from '../engine/test-support/rulings.ts';
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
  const event = { choices: [{ delta: { content } }], usage: { completion_tokens: tokens } };
  return { body: `data: ${JSON.stringify(event)}\n\n`, headers: { 'content-type': 'text/event-stream' } };
}

/** How many chats a service gets that answers in this way, and the rulings of both checks. */
async function tried(answer: (chat: Asked) => AnswerForTest) {
  let sent = 0;
  const send = async (draft: Draft): Promise<Exchange> => {
    sent += 1;
    const chat: Asked = JSON.parse(String(draft.body));
    return answered(answer(chat), chat);
  };
  const { given } = textGenerated;
  const [input] = given.inputs(INFO).examples;
  const trial = await given.send(input, { send, sendCounterpart: send, provoke: send }, INFO);
  return [sent, ruled(textGenerated, trial, INFO).kind, ruled(streamedTextGenerated, trial, INFO).kind];
}

const writing =
  (text: (most: number) => string, tokens: number) =>
  ({ stream: isStreamed, max_tokens: most = 0 }: Asked): AnswerForTest =>
    isStreamed === true ? stream(text(most), tokens) : response(text(most), tokens);

test('asks for no room given a text, and given an empty one without tokens', async () => {
  expect(await tried(writing(() => 'Hello.', 3))).toEqual([2, 'holds', 'holds']);
  expect(await tried(writing(() => '', 0))).toEqual([2, 'not-exercised', 'not-exercised']);
});

test('holds given a model that writes where it has room', async () => {
  expect(await tried(writing((most) => (most > 100 ? 'Hello.' : ''), 16))).toEqual([4, 'holds', 'holds']);
});

test('violated given tokens and no text, with room too', async () => {
  expect(await tried(writing(() => '', 16))).toEqual([4, 'violated', 'violated']);
});

test('not exercised given answers of another form than was asked for', async () => {
  expect(await tried(() => stream('Hello.', 3))).toEqual([2, 'not-exercised', 'holds']);
  expect(await tried(() => response('Hello.', 3))).toEqual([2, 'holds', 'not-exercised']);
});

test('judges the stream by itself', async () => {
  const deaf = ({ stream: isStreamed }: Asked): AnswerForTest =>
    isStreamed === true ? stream('', 16) : response('Hello.', 16);
  expect(await tried(deaf)).toEqual([3, 'holds', 'violated']);
});

test('inconclusive given a service that refuses the room', async () => {
  const narrow = (chat: Asked): AnswerForTest =>
    (chat.max_tokens ?? 0) > 100 ? { status: 400, body: {} } : writing(() => '', 16)(chat);
  expect(await tried(narrow)).toEqual([4, 'inconclusive', 'inconclusive']);
});

test('takes an empty text beside tokens for no pass of the text in a choice', () => {
  const rule = (answer: AnswerForTest) =>
    ruled(choicesCarryText, { exchanges: [answered(answer)] }, INFO).kind;
  expect([response('Hi.', 2), response('', 0), response('', 2)].map(rule)).toEqual([
    'holds',
    'holds',
    'inconclusive',
  ]);
});
