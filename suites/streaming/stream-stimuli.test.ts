import { expect, test } from 'vitest';
import type { Draft, Exchange } from '../engine/model/exchange.ts';
import type { Sender } from '../engine/model/stimulus.ts';
import { type AnswerForTest, answered, answeredGet } from '../engine/test-support/exchange.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { longStreams } from './long-streams.ts';
import { refusedStreams } from './refusal-is-no-stream.ts';

const MODELS = infoForTest({ models: [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }, { id: 'e' }] });

const [BESIDE, USUAL, LONGER] = longStreams.inputs(MODELS).examples;

interface SentChat {
  readonly model: string;
  readonly messages: readonly unknown[];
  readonly stream?: boolean;
  readonly max_tokens?: number;
}

function chatOf({ body }: Draft): SentChat {
  const chat: SentChat = JSON.parse(Buffer.from(body ?? '').toString());
  return chat;
}

const EVENT = 'data: {"choices":[{"delta":{"content":"One."}}]}\n\n';

/** A stream of two events at these times. */
function streamOf(first: number, last: number, more: Readonly<Record<string, string>> = {}): AnswerForTest {
  const pieces = [first, last].map((at, i) => ({ at, upTo: EVENT.length * (i + 1) }));
  return { body: EVENT + EVENT, headers: { 'content-type': 'text/event-stream', ...more }, pieces };
}

/** Answers each model's chats over so many milliseconds, unless `answer` says how; undefined is no answer at all. */
function senderTo(
  durations: Readonly<Record<string, number | undefined>>,
  sent: Draft[],
  answer: (draft: Draft, ms: number) => AnswerForTest = (_, ms) => streamOf(1, ms),
): Sender {
  const send = async (draft: Draft): Promise<Exchange> => {
    if (draft.method === 'GET') return answeredGet(draft.path, { endedAt: 1, body: '{}' });
    sent.push(draft);
    const endedAt = durations[chatOf(draft).model];
    const exchange = answered(answer(draft, endedAt ?? 0), draft.body ?? '');
    return endedAt === undefined
      ? { ...exchange, outcome: { kind: 'uncertain', reason: 'timeout' } }
      : exchange;
  };
  return { send, sendCounterpart: send, provoke: send };
}

test.each([
  ['stays with the first model that takes its time, for two whole answers too', 'aaaaa', { a: 500, b: 900 }],
  ['goes on to the next model where the first is quick', 'abbbbb', { a: 5, b: 80 }],
  [
    'asks four models, and none again, where none takes its time',
    'abcd',
    { a: 5, b: 9, c: 40, d: 7, e: 1000 },
  ],
  ['sends nothing more after an uncertain outcome', 'a', { a: undefined }],
  ['sends nothing more after one of the next model', 'ab', { a: 5, b: undefined }],
])('%s: %s', async (_, models, durations) => {
  const sent: Draft[] = [];
  await longStreams.send(USUAL, senderTo(durations, sent), MODELS);
  expect(sent.map((draft) => chatOf(draft).model).join('')).toBe(models);
});

test('asks one model for one stream while other requests are in flight, and notes how long this process slept', async () => {
  const sent: Draft[] = [];
  const trial = await longStreams.send(BESIDE, senderTo({ a: 5, b: 500 }, sent), MODELS);
  expect(sent.map((draft) => chatOf(draft).model)).toEqual(['a']);
  expect(trial).toHaveProperty('sleptMs', expect.any(Number));
});

test('asks for longer texts, in other words, where the usual ones decide nothing', async () => {
  const asked = [BESIDE, USUAL, LONGER].map(async (length) => {
    const sent: Draft[] = [];
    await longStreams.send(length, senderTo({ a: 500 }, sent), MODELS);
    return sent.map(chatOf);
  });
  const [beside = [], usual = [], longer = []] = await Promise.all(asked);
  expect([longStreams.untilDecided, longer.map((chat) => chat.max_tokens)]).toEqual([
    true,
    usual.map(() => 1024),
  ]);
  const all = [...beside, ...usual, ...longer];
  expect(new Set(all.map((chat) => JSON.stringify(chat.messages))).size).toBe(11);
});

const declared = (): AnswerForTest => streamOf(1, 500, { 'content-length': '2' });
const whole = (_: Draft, ms: number): AnswerForTest => streamOf(ms - 1, ms);

test.each([
  [1, 'a stream whose head says its length, with nothing to compare', 5, declared],
  [1, 'bodies that arrived whole after a long delay', 500, whole],
  [2, 'bodies that arrived whole after a delay that may have been ours', 100, whole],
])('asks for %i streams given %s', async (count, _, endedAt, answer) => {
  const sent: Draft[] = [];
  await longStreams.send(USUAL, senderTo({ a: endedAt }, sent, answer), MODELS);
  expect(sent).toHaveLength(count);
});

test('refused streams: sends each mistake without stream and with it, one family after the other', async () => {
  const { examples: first } = refusedStreams.inputs(infoForTest());
  const sent: Draft[] = [];
  const refusal = (): AnswerForTest => ({ status: 400, body: {} });
  await refusedStreams.send(first[0], senderTo({ small: 5 }, sent, refusal), infoForTest());
  const [counterpart, plain, streamed] = sent.map(chatOf);
  expect(counterpart?.stream).toBeUndefined();
  expect(streamed).toEqual({ ...plain, stream: true });
  expect(first.length).toBeGreaterThan(refusedStreams.cappedCount);
});

test('asks for fewer tokens where so many are refused, and for no more of them from then on', async () => {
  const sent: Draft[] = [];
  const limited = (draft: Draft, ms: number): AnswerForTest =>
    (chatOf(draft).max_tokens ?? 0) <= 100
      ? streamOf(1, ms)
      : { status: 400, body: '{"error":{"code":"limit","message":"No."}}' };
  const trial = await longStreams.send(USUAL, senderTo({ a: 500 }, sent, limited), MODELS);
  expect(sent.map(({ needsOutput }) => needsOutput)).toEqual([256, 64, 64, 64, 64, 64]);
  expect(trial.exchanges).toHaveLength(3 + sent.length);
});
