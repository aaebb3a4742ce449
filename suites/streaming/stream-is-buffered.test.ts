import { expect, test } from 'vitest';
import { answerOf } from '../kit/reading/answers.ts';
import { readStream } from '../kit/reading/streams/read-stream.ts';
import { answered, answeredGet } from '../kit/test-support/exchange.ts';
import { infoForTest } from '../kit/test-support/target-info.ts';
import { declaresLength, networkSpread, quickestOf, timesOf } from './delivery.ts';
import { streamIsBuffered } from './stream-is-buffered.ts';

const EVENTS = ['Once', ' upon', ' a', ' time.'].map(
  (content) => `data: {"choices":[{"delta":{"content":"${content}"}}]}\n\n`,
);
const ROLE = 'data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n';
const DONE = 'data: [DONE]\n\n';

/** A stream whose four pieces of text arrive at these times, the end with the last. */
function stream(...at: readonly [number, number, number, number]) {
  return delivered([...EVENTS, DONE], [...at, at[3]]);
}

function delivered(events: readonly string[], at: readonly number[], headers: Record<string, string> = {}) {
  let upTo = 0;
  const pieces = events.map((event, i) => ({ at: at[i] ?? 0, upTo: (upTo += event.length) }));
  const all = { 'content-type': 'text/event-stream', ...headers };
  const chat = { model: 'small', messages: [], stream: true };
  return answered({ body: events.join(''), headers: all, pieces }, chat);
}

/** The quickest answer of a network as near as this machine. */
const NEAR = answeredGet('/models', { body: 'x'.repeat(600), endedAt: 1 });
const FAR = answeredGet('/models', { endedAt: 150 });

/** A whole answer that began after so many milliseconds. */
function whole(at: number, model = 'small') {
  const body = JSON.stringify({ choices: [{ message: { content: 'Once upon a time.' } }] });
  return answered({ body, pieces: [{ at, upTo: body.length }] }, { model, messages: [] });
}

function ruling(...exchanges: ReturnType<typeof stream>[]) {
  return streamIsBuffered.holds({ exchanges: [NEAR, ...exchanges] }, infoForTest());
}

function farRuling(...exchanges: ReturnType<typeof stream>[]) {
  return streamIsBuffered.holds({ exchanges: [FAR, ...exchanges] }, infoForTest());
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
    finding: { code: 'trickles', actual: 'the first part of it after 100 of 1000 ms', exchange: 1 },
  });
});

test('inconclusive given a slow stream that comes at once through what may have held it back', () => {
  const info = infoForTest({ bufferedBy: 'the proxy p:3128' });
  const decided = (...at: Parameters<typeof stream>) =>
    streamIsBuffered.holds({ exchanges: [NEAR, stream(...at)] }, info);
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

/** Its pieces of text arrive when the machine lets both sides work. */
const trickled = delivered(
  Array.from({ length: 40 }, () => EVENTS[1] ?? ''),
  Array.from({ length: 40 }, (_, i) => 5 + i * 10 + (i > 20 ? 150 : 0)),
);

test('blames no spread that a busy machine explains, whichever side had to wait', () => {
  expect(ruling(stream(50, 50, 300, 500)).kind).toBe('inconclusive');
  expect(ruling(stream(60, 60, 60, 160), whole(150), whole(155)).kind).toBe('inconclusive');
  expect(ruling(stream(5, 5, 5, 5), stream(20, 150, 280, 400)).kind).toBe('inconclusive');
  expect(ruling(trickled, trickled).kind).toBe('violated');
});

test('holds given two quick streams that come at once, of which this machine may have slept through one', () => {
  const slept = stream(100, 100, 100, 101);
  expect(ruling(slept)).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringContaining('run it again where machine and network are less busy'),
  });
  expect(ruling(slept, stream(20, 40, 80, 100), slept).kind).toBe('holds');
});

test('draws its lines at a tenth and a quarter of the time', () => {
  expect(ruling(stream(900, 950, 950, 1000)).kind).toBe('inconclusive');
  expect(ruling(stream(750, 800, 900, 1001)).kind).toBe('violated');
});

test('judges texts that took just long enough beside the network', () => {
  expect(ruling(stream(61, 61, 61, 61), stream(61, 61, 61, 61)).kind).toBe('holds');
  expect(farRuling(stream(205, 205, 205, 205))).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringContaining('55 ms'),
  });
  expect(farRuling(stream(210, 210, 210, 210), stream(211, 211, 211, 211)).kind).toBe('holds');
});

test('holds given a length in the head, however long the body took to arrive', () => {
  const declared = delivered([...EVENTS, DONE], [100, 400, 700, 1000, 1000], { 'content-length': '9' });
  expect(declaresLength(declared)).toBe(true);
  expect(ruling(declared).kind).toBe('holds');
});

test('tells a distant trickle by whole answers of the same model, which take longer to begin', () => {
  const trickle = stream(160, 200, 250, 300);
  expect(farRuling(trickle).kind).toBe('inconclusive');
  expect(farRuling(trickle, whole(1000))).toMatchObject({
    kind: 'violated',
    finding: { actual: 'the first part of it after 160 of 300 ms, where a whole answer began after 1000 ms' },
  });
  expect(farRuling(trickle, whole(1000, 'sharp')).kind).toBe('inconclusive');
  expect(farRuling(trickle, whole(1000), whole(170)).kind).toBe('inconclusive');
  expect(farRuling(trickle, stream(900, 930, 960, 1190), whole(1000)).kind).toBe('inconclusive');
});

test('takes a longer whole answer for what it shows of a shorter text', () => {
  const short = delivered([EVENTS[0] ?? '', EVENTS[1] ?? ''], [230, 330]);
  expect(farRuling(short, whole(600)).kind).toBe('inconclusive');
  expect(farRuling(short, whole(900)).kind).toBe('violated');
});

/** A stream in pieces that end inside events. */
function heldUp(...at: readonly number[]) {
  const exchange = delivered([...EVENTS, DONE], [0, 0, 0, 0, 0]);
  if (exchange.outcome.kind !== 'answered') throw new TypeError('an answer was written by hand');
  const pieces = at.map((time, i) => ({ at: time, upTo: 60 * (i + 1) }));
  const answer = { ...exchange.outcome.answer, pieces, endedAt: at.at(-1) ?? 0 };
  return { ...exchange, outcome: { kind: 'answered', answer } as const };
}

test('holds given pieces that end inside events, from when a whole answer would have come', () => {
  expect(farRuling(heldUp(1000, 1200, 1400), whole(900)).kind).toBe('holds');
  expect(farRuling(heldUp(1000, 1200, 1400)).kind).toBe('inconclusive');
  expect(farRuling(heldUp(600, 1200, 1400), whole(900)).kind).toBe('inconclusive');
  expect(farRuling(stream(1000, 1050, 1100, 1180), whole(900)).kind).toBe('inconclusive');
  expect(farRuling(heldUp(200, 300, 400), whole(200)).kind).toBe('inconclusive');
});

test('knows nothing of the network where nothing quick was answered', () => {
  expect(quickestOf([])).toEqual({ ms: 0, msPerByte: Infinity });
  expect(networkSpread(2800, { ms: 10, msPerByte: 0.5 })).toBe(1400);
  expect(networkSpread(2800 * 3, { ms: 10, msPerByte: 0 })).toBe(10);
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

test('not exercised given nothing but refusals, responses and streams without text', () => {
  const refusal = answered({ status: 400, body: { error: { code: 'x', message: 'y' } } });
  expect(ruling(refusal, answered({ body: { choices: [] } }), delivered([DONE], [100])).kind).toBe(
    'not-exercised',
  );
});

const TEXT = 'data: {"choices":[{"delta":{"content":"Hi."}}]}\n\n';
const EMPTY = 'data: {"choices":[],"usage":null}\n\n';

/** When these events arrive, the first after 10 ms, and each other one 10 ms later. */
function times(...events: readonly string[]) {
  let upTo = 0;
  const pieces = events.map((event, i) => ({ at: 10 * (i + 1), upTo: (upTo += event.length) }));
  return timesOf(readStream(answerOf(answered({ body: events.join(''), pieces })), infoForTest()));
}

test('measures from the first piece of the result to the last piece of text', () => {
  expect(times(TEXT, TEXT, EMPTY)).toEqual({ first: 10, last: 20, length: 6 });
  expect(times(ROLE, TEXT)).toEqual({ first: 10, last: 20, length: 3 });
});

test('takes an event without a choice for no piece of the result', () => {
  expect(times(EMPTY, TEXT)).toEqual({ first: 20, last: 20, length: 3 });
});

test('returns undefined given no text', () => {
  expect([times(ROLE), times(': wait\n\n'), times()]).toEqual([undefined, undefined, undefined]);
  const unread = 'data: {"choices":[{"q":1}]}\n\n';
  expect(times(unread)).toBeUndefined();
});

test('says that every long stream was refused, where it was', () => {
  const refused = answered(
    { status: 400, body: { error: { code: 'limit', message: 'No.' } } },
    { model: 'small', messages: [], stream: true },
  );
  expect(streamIsBuffered.holds({ exchanges: [NEAR, refused] }, infoForTest())).toMatchObject({
    kind: 'not-exercised',
    reason: 'every stream that is long enough to judge was refused: status 400, code "limit"',
  });
});
