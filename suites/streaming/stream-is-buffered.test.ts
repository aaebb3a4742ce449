import { expect, test } from 'vitest';
import type { Exchange } from '../engine/model/exchange.ts';
import { answered, answeredGet, type AnswerForTest, errorAnswer } from '../engine/test-support/exchange.ts';
import { ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
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

function delivered(
  events: readonly string[],
  at: readonly number[],
  headers: AnswerForTest['headers'] = {},
  status = 200,
) {
  let upTo = 0;
  const pieces = events.map((event, i) => ({ at: at[i] ?? 0, upTo: (upTo += event.length) }));
  const all = { 'content-type': 'text/event-stream', ...headers };
  const chat = { model: 'small', messages: [], stream: true };
  return answered({ status, body: events.join(''), headers: all, pieces }, chat);
}

/** The quickest answer of a network as near as this machine. */
const NEAR = answeredGet('/models', { body: 'x'.repeat(600), endedAt: 1 });
const FAR = answeredGet('/models', { endedAt: 150 });

/** A whole answer that began after so many milliseconds. */
function whole(at: number, model = 'small') {
  const body = JSON.stringify({ choices: [{ message: { content: 'Once upon a time.' } }] });
  return answered({ body, pieces: [{ at, upTo: body.length }] }, { model, messages: [] });
}

function judged(exchanges: readonly Exchange[], info = infoForTest()) {
  return ruled(streamIsBuffered, { exchanges }, info);
}

/** Something ahead of the result that is no part of it. */
const PINGED = delivered(
  [': wait\n\n', 'event: ping\ndata: {}\n\n', ...EVENTS],
  [10, 20, 900, 900, 900, 900],
);
const EMPTY = 'data: {"choices":[],"usage":null}\n\n';
const EMPTY_FIRST = delivered([EMPTY, ...EVENTS], [10, 900, 900, 900, 900]);
const USAGE_LAST = delivered([...EVENTS, EMPTY], [900, 900, 900, 900, 9000]);
const UNREAD = delivered(['data: {"choices":[{"q":1}]}\n\n', DONE], [100, 900]);
const ROLE_FIRST = delivered([ROLE, ...EVENTS], [10, 900, 900, 900, 900]);
const DECLARED = delivered([...EVENTS, DONE], [100, 400, 700, 1000, 1000], { 'content-length': '9' });

/** Its pieces of text arrive when the machine lets both sides work. */
const TRICKLED = delivered(
  Array.from({ length: 40 }, () => EVENTS[1] ?? ''),
  Array.from({ length: 40 }, (_, i) => 5 + i * 10 + (i > 20 ? 150 : 0)),
);

/** A text whose events trickle, under another status or content type. */
const trickling = (change: AnswerForTest) =>
  delivered([...EVENTS, DONE], [100, 400, 700, 1000, 1000], change.headers, change.status);

const [REFUSAL, RESPONSE] = [
  answered({ status: 400, body: { error: { code: 'x', message: 'y' } } }),
  answered({ body: { choices: [] } }),
];

test.each<[string, string, ...Exchange[]]>([
  ['holds', 'slow, and at once', stream(5000, 5000, 5000, 5000)],
  ['holds', 'slow, and a little long on the network', stream(4800, 4860, 4950, 5000)],
  ['holds', 'another that a network held up', stream(300, 300, 300, 900), stream(400, 400, 400, 400)],
  ['holds', 'something ahead of it', PINGED],
  ['holds', 'an event without a choice ahead of it', EMPTY_FIRST],
  ['holds', 'an event without a choice after it', USAGE_LAST],
  ['holds', 'a length in the head', DECLARED],
  ['holds', 'two that took just long enough', stream(61, 61, 61, 61), stream(61, 61, 61, 61)],
  ['violated', 'the role before there is a text', ROLE_FIRST],
  ['violated', 'an early start, and the rest at the end', stream(50, 1000, 1000, 1000)],
  ['violated', 'just a quarter of the time', stream(750, 800, 900, 1001)],
  ['violated', 'many pieces on a busy machine, twice', TRICKLED, TRICKLED],
  ['inconclusive', 'just a tenth of the time', stream(900, 950, 950, 1000)],
  ['inconclusive', 'too fast', stream(5, 20, 30, 50), stream(5, 5, 5, 5)],
  ['inconclusive', 'between buffered and trickling', stream(850, 900, 950, 1000)],
  ['inconclusive', 'a spread that one delay explains', stream(45, 50, 60, 70)],
  ['inconclusive', 'a busy machine', stream(50, 50, 300, 500)],
  ['inconclusive', 'a busy machine beside', stream(60, 60, 60, 160), whole(150), whole(155)],
  ['inconclusive', 'a busy machine before', stream(5, 5, 5, 5), stream(20, 150, 280, 400)],
  ['not-exercised', 'nothing to judge', REFUSAL, RESPONSE, delivered([DONE], [100]), UNREAD],
  ['not-exercised', 'a role alone', delivered([ROLE], [100])],
  ['not-exercised', 'a refusal that trickles', trickling({ status: 400 })],
  ['not-exercised', 'a text that trickles', trickling({ headers: { 'content-type': 'text/plain' } })],
])('near: %s given %s', (kind, _, ...exchanges) => {
  expect(judged([NEAR, ...exchanges]).kind).toBe(kind);
});

test.each<[string, string, number, Exchange]>([
  ['holds', 'slow, and at once', 30, stream(500, 500, 500, 500)],
  ['not-exercised', 'that while this process slept', 130, stream(500, 500, 500, 500)],
  ['not-exercised', 'at once after a short time', 10, stream(200, 200, 200, 200)],
  ['not-exercised', 'what trickles', 10, stream(100, 400, 700, 1000)],
  ['not-exercised', 'what trickles after it waited for them', 10, stream(1900, 1930, 1970, 2000)],
  ['not-exercised', 'nothing to judge', 10, REFUSAL],
])('beside others: %s given %s', (kind, _, sleptMs, exchange) => {
  const trial = { exchanges: [NEAR, exchange], sleptMs };
  expect(ruled(streamIsBuffered, trial).kind).toBe(kind);
});

const TRICKLE = stream(160, 200, 250, 300);
const SHORT = delivered([EVENTS[0] ?? '', EVENTS[1] ?? ''], [230, 330]);

/** A stream in pieces that end inside events. */
function heldUp(...at: readonly number[]) {
  const exchange = delivered([...EVENTS, DONE], [0, 0, 0, 0, 0]);
  if (exchange.outcome.kind !== 'answered') throw new TypeError('an answer was written by hand');
  const pieces = at.map((time, i) => ({ at: time, upTo: 60 * (i + 1) }));
  const answer = { ...exchange.outcome.answer, pieces, endedAt: at.at(-1) ?? 0 };
  return { ...exchange, outcome: { kind: 'answered', answer } as const };
}

test.each<[string, string, ...Exchange[]]>([
  ['holds', 'two that took just long enough', stream(210, 210, 210, 210), stream(211, 211, 211, 211)],
  ['inconclusive', 'a trickle alone', TRICKLE],
  ['violated', 'a trickle beside a longer whole answer', TRICKLE, whole(1000)],
  ['inconclusive', 'one beside that of another model', TRICKLE, whole(1000, 'sharp')],
  ['inconclusive', 'one beside a quick whole answer', TRICKLE, whole(1000), whole(170)],
  ['inconclusive', 'one beside a stream that comes late', TRICKLE, stream(900, 930, 960, 1190), whole(1000)],
  ['inconclusive', 'a shorter text, whose answer may be quicker', SHORT, whole(600)],
  ['violated', 'a shorter text beside a much longer answer', SHORT, whole(900)],
  ['holds', 'pieces inside events, after a whole answer', heldUp(1000, 1200, 1400), whole(900)],
  ['inconclusive', 'pieces inside events alone', heldUp(1000, 1200, 1400)],
  ['inconclusive', 'pieces inside events, before it', heldUp(600, 1200, 1400), whole(900)],
  ['inconclusive', 'pieces at events, after it', stream(1000, 1050, 1100, 1180), whole(900)],
  ['inconclusive', 'pieces inside events, too fast', heldUp(200, 300, 400), whole(200)],
])('far: %s given %s', (kind, _, ...exchanges) => {
  expect(judged([FAR, ...exchanges]).kind).toBe(kind);
});

const BUFFERING = infoForTest({ bufferedBy: 'the proxy p:3128' });

test('is inconclusive given a slow stream that comes at once through what may have held it back', () => {
  expect(judged([NEAR, stream(5000, 5000, 5000, 5000)], BUFFERING)).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringContaining('the proxy p:3128 may have held the streams back'),
  });
  expect(judged([NEAR, stream(50, 1000, 1000, 1000)], BUFFERING).kind).toBe('violated');
});

test('says what it saw', () => {
  expect(judged([NEAR, stream(100, 400, 700, 1000), stream(90, 300, 600, 1100)])).toMatchObject({
    finding: { code: 'trickles', actual: 'the first part of it after 100 of 1000 ms', exchange: 1 },
  });
  expect(judged([FAR, TRICKLE, whole(1000)])).toMatchObject({
    finding: { actual: 'the first part of it after 160 of 300 ms, where a whole answer began after 1000 ms' },
  });
  expect(judged([FAR, stream(205, 205, 205, 205)])).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringContaining('55 ms'),
  });
});

test('holds given two quick streams that come at once, of which this machine may have slept through one', () => {
  const slept = stream(100, 100, 100, 101);
  expect(judged([NEAR, slept])).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringContaining('run it again when the machine and the network are less busy'),
  });
  expect(judged([NEAR, slept, stream(20, 40, 80, 100), slept]).kind).toBe('holds');
});

test('says that every long stream was refused, where it was', () => {
  const refused = answered(errorAnswer('limit'), { model: 'small', messages: [], stream: true });
  expect(judged([NEAR, refused])).toMatchObject({
    kind: 'not-exercised',
    reason: 'every stream that is long enough to judge was refused: status 400, code "limit"',
  });
});
