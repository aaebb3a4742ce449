import { expect, test } from 'vitest';
import { answerOf } from '../kit/reading/answers.ts';
import { readStream } from '../kit/reading/streams/read-stream.ts';
import { answered } from '../kit/test-support/exchange.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { streamIsBuffered, deliveryOf, shareOf } from './stream-is-buffered.ts';

const EVENTS = ['Once', ' upon', ' a', ' time.'].map(
  (content) => `data: {"choices":[{"delta":{"content":"${content}"}}]}\n\n`,
);
const ROLE = 'data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n';
const DONE = 'data: [DONE]\n\n';

/** A stream whose four pieces of text arrive at these times, the end with the last. */
function stream(...at: readonly [number, number, number, number]) {
  return delivered([...EVENTS, DONE], [...at, at[3]]);
}

function delivered(events: readonly string[], at: readonly number[]) {
  let upTo = 0;
  const pieces = events.map((event, i) => ({ at: at[i] ?? 0, upTo: (upTo += event.length) }));
  const headers = { 'content-type': 'text/event-stream' };
  return answered({ body: events.join(''), headers, pieces }, { model: 'small', messages: [], stream: true });
}

function ruling(...exchanges: ReturnType<typeof stream>[]) {
  return streamIsBuffered.holds({ exchanges }, infoForTest());
}

test('holds given a slow stream that comes at once', () => {
  expect(ruling(stream(5000, 5000, 5000, 5000)).kind).toBe('holds');
});

test('holds given a slow stream that takes a little to cross the network', () => {
  expect(ruling(stream(4800, 4860, 4950, 5000)).kind).toBe('holds');
});

test('holds given one buffered stream among others that a network held up', () => {
  expect(ruling(stream(300, 300, 300, 900), stream(400, 400, 400, 400)).kind).toBe('holds');
});

test('holds given something ahead of the result that is no part of it', () => {
  const early = delivered(
    [': wait\n\n', 'event: ping\ndata: {}\n\n', ...EVENTS],
    [10, 20, 900, 900, 900, 900],
  );
  expect(ruling(early).kind).toBe('holds');
});

test('violated given streams that begin with the role before there is a text', () => {
  const early = delivered([ROLE, ...EVENTS], [10, 900, 900, 900, 900]);
  expect(ruling(early)).toMatchObject({ kind: 'violated', finding: { code: 'trickles' } });
});

test('violated given streams that trickle', () => {
  expect(ruling(stream(100, 400, 700, 1000), stream(90, 300, 600, 1100))).toMatchObject({
    kind: 'violated',
    finding: { code: 'trickles', actual: 'the result arrived over 900 of 1000 ms' },
  });
});

test('inconclusive given a slow stream that comes at once through what may have held it back', () => {
  const info = infoForTest({ bufferedBy: 'the proxy p:3128' });
  const decided = (...at: Parameters<typeof stream>) =>
    streamIsBuffered.holds({ exchanges: [stream(...at)] }, info);
  expect(decided(5000, 5000, 5000, 5000)).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringContaining('the proxy p:3128 may have held the streams back'),
  });
  expect(decided(50, 1000, 1000, 1000).kind).toBe('violated');
});

test('violated given streams that start early and bring the rest at the end', () => {
  expect(ruling(stream(50, 1000, 1000, 1000)).kind).toBe('violated');
});

test('inconclusive given texts that arrived too fast to judge', () => {
  expect(ruling(stream(5, 20, 30, 50), stream(5, 5, 5, 5)).kind).toBe('inconclusive');
});

test('inconclusive between buffered and trickling, and given a spread that one delay explains', () => {
  expect(ruling(stream(850, 900, 950, 1000)).kind).toBe('inconclusive');
  expect(ruling(stream(45, 50, 60, 70)).kind).toBe('inconclusive');
});

test('draws its lines at a tenth and a quarter of the time, and at 30 ms', () => {
  expect(ruling(stream(900, 950, 950, 1000)).kind).toBe('inconclusive');
  expect(ruling(stream(750, 800, 900, 1000)).kind).toBe('violated');
  expect(ruling(stream(50, 60, 70, 80)).kind).toBe('violated');
});

test('judges texts that took just long enough', () => {
  expect(ruling(stream(60, 60, 60, 60)).kind).toBe('holds');
});

test('judges no refusal and no other content type, even where events of a text trickle', () => {
  const { request, outcome } = stream(100, 400, 700, 1000);
  if (outcome.kind !== 'answered') throw new TypeError('an answer was written by hand');
  const changed = [{ status: 400 }, { headers: { 'content-type': 'text/plain' } }].map((change) => ({
    id: 'changed',
    request,
    outcome: { kind: 'answered', answer: { ...outcome.answer, ...change } } as const,
  }));
  expect(ruling(...changed).kind).toBe('not-exercised');
});

test('leaves the quick ones out where one took long enough', () => {
  expect(ruling(stream(5, 5, 5, 5), stream(20, 50, 80, 100)).kind).toBe('violated');
});

test('not exercised given nothing but refusals, responses and streams without text', () => {
  const refusal = answered({ status: 400, body: { error: { code: 'x', message: 'y' } } });
  expect(ruling(refusal, answered({ body: { choices: [] } }), delivered([DONE], [100])).kind).toBe(
    'not-exercised',
  );
});

const TEXT = 'data: {"choices":[{"delta":{"content":"Hi."}}]}\n\n';
const EMPTY = 'data: {"choices":[],"usage":null}\n\n';

/** How these events arrive, the first after 10 ms, and each other one 10 ms later. */
function delivery(...events: readonly string[]) {
  let upTo = 0;
  const pieces = events.map((event, i) => ({ at: 10 * (i + 1), upTo: (upTo += event.length) }));
  return deliveryOf(readStream(answerOf(answered({ body: events.join(''), pieces })), infoForTest()));
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
