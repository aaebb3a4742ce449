import { expect, test } from 'vitest';
import type { Profile } from '../../model/target.ts';
import { answered } from '../../test-support/exchange.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { answerOf } from '../answers.ts';
import { isEventStreamType, readStream } from './read-stream.ts';

function read(
  body: string | Uint8Array,
  pins: Profile['pins'] = {},
  pieces?: readonly { at: number; upTo: number }[],
) {
  const answer = answerOf(answered({ body, ...(pieces && { pieces }) }));
  return readStream(answer, infoForTest({ profile: { pins } }));
}

const stream = (...events: readonly unknown[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

const delta = (content: unknown, more: object = {}) => ({
  choices: [{ index: 0, delta: { content } }],
  ...more,
});

test('reads chunks of the common convention', () => {
  const end = { choices: [{ delta: {}, finish_reason: 'stop' }], usage: { completion_tokens: 2 } };
  const reading = read(`${stream(delta(''), delta('Hel'), delta('lo.'), end)}data: [DONE]\n\n`);
  expect(reading).toMatchObject({
    framing: 'chunks',
    terminator: '[DONE]',
    newline: 'lf',
    cutOff: false,
    isUtf8: true,
    text: { pointer: '/choices/0/delta/content', text: 'Hello.' },
    finishReason: { value: 'stop' },
    usage: { output: { value: 2 } },
  });
  expect(reading.text?.textEvents).toEqual(reading.events.slice(1, 3));
});

test('reads a whole response in one named event, with CRLF and comments', () => {
  const response = { choices: [{ message: { content: 'Hello.' } }] };
  const reading = read(`: hi\r\n\r\nevent: completion\r\ndata: ${JSON.stringify(response)}\r\n\r\n`);
  expect(reading).toMatchObject({
    framing: 'whole',
    newline: 'crlf',
    cutOff: false,
    text: { text: 'Hello.' },
  });
  expect(reading.terminator).toBeUndefined();
  expect(reading.events.map(({ name }) => name)).toEqual(['completion']);
});

// The text

const WHOLE = stream({ choices: [{ message: { content: 'Hi.' } }] });

test.each<[string, string, string | undefined]>([
  [WHOLE, 'whole', 'Hi.'],
  [WHOLE + WHOLE, 'chunks', 'Hi.Hi.'],
  [stream(delta('Hi.', { answer: 'Something longer.' })), 'chunks', 'Hi.'],
  [stream({ choices: [{ delta: { content: '' }, text: 'Hi.' }] }), 'unknown', 'Hi.'],
  [stream({ token: 'Hi.' }), 'unknown', 'Hi.'],
  [stream({ token: 'Hi.' }, { token: 'x' }), 'chunks', 'Hi.x'],
  [stream({ a: { token: 'x' }, b: { token: 'longer' } }, { a: { token: 'z' } }), 'unknown', 'longer'],
  [stream({ candidates: [{ content: { parts: [{ text: 'Hi.' }] } }] }), 'unknown', 'Hi.'],
  [stream(delta('')), 'chunks', ''],
  // Chunks of a model that says nothing.
  [stream({ choices: [{ index: 0, delta: {}, finish_reason: 'x' }], usage: { output: 16 } }), 'chunks', ''],
  [stream({ choices: [{ delta: { role: 'assistant', content: null }, logprobs: null }] }), 'chunks', ''],
  [stream({ choices: [{ delta: {} }] }, { choices: [], usage: {} }), 'chunks', ''],
  // No text, or it may be under another name.
  ['', 'unknown', undefined],
  [stream(delta(7)), 'unknown', undefined],
  [stream({ a: 'Hi.' }, { text: '' }), 'unknown', undefined],
  [stream(7, null, 'Hi.'), 'unknown', undefined],
  ['data: Hi.\n\ndata: you.\n\n', 'unknown', undefined],
  [stream({ choices: [] }), 'unknown', undefined],
  [stream({ choices: [{ index: 0 }] }), 'unknown', undefined],
  [stream({ choices: [{ delta: {}, words: 'Hi.' }] }), 'unknown', undefined],
  [stream({ choices: [{ delta: { words: 'Hi.' } }] }), 'unknown', undefined],
  [stream({ choices: ['Hi.'] }), 'unknown', undefined],
])('reads of %j the framing %s and the text %j', (body, framing, text) => {
  const reading = read(body);
  expect([reading.framing, reading.text?.text]).toEqual([framing, text]);
});

test.each<[string, string, string | undefined, string | undefined]>([
  [stream(delta('Hi.', { q: 'Hello.' })), '/q', '/q', 'Hello.'],
  [stream(delta('Hi.', { q: '' })), '/q', '/choices/0/delta/content', 'Hi.'],
  [stream(delta('Hi.')), '/q', '/choices/0/delta/content', 'Hi.'],
  [stream({ q: '', token: 'Hi.' }), '/q', '/q', ''],
  // The whole data, which may look like a number.
  ['data: Hi \n\ndata: you.\n\ndata: [DONE]\n\n', '', '', 'Hi you.'],
  ['data: 1\n\ndata:  and "two"\n\ndata: {"finish_reason":"stop"}\n\n', '', '', '1 and "two"'],
  [stream('Hi ', 7, null, { usage: 1 }, [1]), '', '', 'Hi 7null'],
])('reads the text of %j, pinned to "%s", at "%s": %j', (body, pin, pointer, text) => {
  expect(read(body, { 'stream.text': pin }).text).toMatchObject({ pointer, text });
});

test('looks at a bounded number of places, however many a stream has', () => {
  const pieces = Array.from({ length: 400 }, (_, i) => ({ [`place${i}`]: { token: 'x'.repeat(i + 1) } }));
  expect(read(stream(...pieces)).text?.text).toHaveLength(64);
});

// Finish reason and usage

test.each<[object, unknown]>([
  [{ 'stream.finish_reason': '/ende' }, 'a'],
  [{ 'response.finish_reason': '/ende' }, 'a'],
  [{ 'response.finish_reason': '/choices/0/ende' }, 'b'],
  [{ 'stream.finish_reason': '/zzz' }, 'b'],
])('reads the finish reason with %j pinned', (pins, value) => {
  const body = stream({ delta: { content: 'Hi.' } }, { ende: 'a', finish_reason: 'b' });
  expect(read(body, { ...pins }).finishReason).toMatchObject({ value });
});

test('reads where the profile pins in any event, before it looks elsewhere in the last one', () => {
  const body = stream({ delta: {}, ende: 'a', made: { x: 1 } }, { finish_reason: 'b', usage: { y: 2 } });
  const pins = { 'stream.finish_reason': '/ende', 'stream.usage': '/made' };
  const found = { finishReason: { pointer: '/ende' }, usage: { pointer: '/made' } };
  expect(read(body, pins)).toMatchObject(found);
  expect(read(body, { 'stream.usage': '/zzz' }).usage).toMatchObject({ pointer: '/usage' });
});

test.each<[string, string]>([
  ['', 'absent'],
  [stream([], 7), 'absent'],
  [stream(delta('Hi.')), 'absent'],
  [stream(delta('Hi.'), { q: { made: 3 } }), 'unrecognised'],
  [stream({ q: { made: 3 } }, delta('Hi.')), 'unrecognised'],
  // The elements of a list have no names.
  [stream(['t', 'Hi.'], ['f', 'stop']), 'unrecognised'],
])('tells of %j that finish reason and usage are %s', (body, expected) => {
  expect(read(body)).toMatchObject({ finishReason: expected, usage: expected });
});

// Events

test.each([
  ['without its blank line', 'data: {"a":1}\n', true],
  ['in the middle of its data', 'data: {"a":1}\n\ndata: {"a', true],
  ['with a single CRLF', 'data: {"a":1}\r\n', true],
  ['at the name of a field', 'data: {"a":1}\n\ndata', true],
  ['with a comment after it', 'data: 1\n\n: bye', false],
  ['with an empty line after it', 'data: 1\n\n\n', false],
  ['with carriage returns', 'data: 1\r\r', false],
])('says whether a last event is cut off: %s', (_, body, cutOff) => {
  expect(read(body).cutOff).toBe(cutOff);
});

test('notices bytes that are no UTF-8', () => {
  const body = Buffer.concat([Buffer.from('data: "'), Buffer.from([0xff]), Buffer.from('"\n\n')]);
  expect(read(body)).toMatchObject({ isUtf8: false, cutOff: false });
});

test('dates each event by the arrival of its last byte, even where a character is split', () => {
  const first = Buffer.from(stream(delta('Grüße')));
  const body = Buffer.concat([first, Buffer.from(stream(delta('!')))]);
  const split = first.indexOf(0xc3) + 1;
  const reading = read(body, {}, [
    { at: 5, upTo: split },
    { at: 50, upTo: first.length + 3 },
    { at: 90, upTo: body.length },
  ]);
  expect(reading.text?.text).toBe('Grüße!');
  expect(reading.events.map(({ at }) => at)).toEqual([50, 90]);
});

test.each([
  ['data: 1\n\n', 'lf'],
  ['data: 1', 'lf'],
  ['data: 1\r\n\r\n', 'crlf'],
  ['data: 1\r\r', 'cr'],
  ['data: 1\r\n\n', 'mixed'],
  ['data: 1\r\n\r', 'mixed'],
  ['data: 1\r\rdata: 2\n\n', 'mixed'],
])('reads the line ends of %j: %s', (body, newline) => {
  expect(read(body).newline).toBe(newline);
});

test.each([
  ['text/event-stream', true],
  ['Text/Event-Stream; charset=utf-8', true],
  [' text/event-stream ;charset=utf-8', true],
  ['text/event-streams', false],
  ['text/event-stream-x; charset=utf-8', false],
  ['x-text/event-stream', false],
  ['application/json', false],
])('says whether %j is the content type of an event stream: %s', (type, expected) => {
  expect(isEventStreamType(answerOf(answered({ headers: { 'content-type': type } })))).toBe(expected);
  expect(isEventStreamType(answerOf(answered({ headers: {} })))).toBe(false);
});
