import { expect, test } from 'vitest';
import type { Profile } from '../../model/target.ts';
import { answered } from '../../test-support/exchange.ts';
import { infoForTest } from '../../test-support/target-info.ts';
import { answerOf } from '../answers.ts';
import { isEventStreamType, readStream } from './read-stream.ts';

function read(
  body: string | Uint8Array,
  profile: Profile = {},
  pieces?: readonly { at: number; upTo: number }[],
) {
  return readStream(answerOf(answered({ body, ...(pieces && { pieces }) })), infoForTest({ profile }));
}

function chunk(content: string, more: object = {}): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }], ...more })}\n\n`;
}

test('reads chunks of the common convention', () => {
  const end = { choices: [{ delta: {}, finish_reason: 'stop' }], usage: { completion_tokens: 2 } };
  const body = `${chunk('')}${chunk('Hel')}${chunk('lo.')}data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`;
  const reading = read(body);
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
  expect(reading.text?.textEvents).toHaveLength(2);
});

test('reads a whole response in one named event, with CRLF and comments', () => {
  const response = {
    choices: [{ message: { content: 'Hello.' }, finish_reason: 'stop' }],
    usage: { total: 1 },
  };
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

test('reads text under another name, from the place that bears most of it', () => {
  const events = ['Hello', ' there.'].map((token) => ({ type: 'text', token: { text: token, id: 'x' } }));
  const reading = read(events.map((event) => `data: ${JSON.stringify(event)}\r\r`).join(''));
  expect(reading).toMatchObject({
    framing: 'chunks',
    newline: 'cr',
    text: { pointer: '/token/text', text: 'Hello there.' },
  });
});

test('reads text where the profile pins it, plain data too', () => {
  expect(read('data: {"zzz":"Hi."}\n\n', { pins: { 'stream.text': '/zzz' } }).text?.text).toBe('Hi.');
  expect(
    read('data: Hi \n\ndata: you.\n\ndata: [DONE]\n\n', { pins: { 'stream.text': '' } }).text?.text,
  ).toBe('Hi you.');
});

test('recognises no text where none has a telling name', () => {
  expect(read('data: {"zzz":"Hi."}\n\n').text).toBeUndefined();
  expect(read('data: Hi.\n\ndata: you.\n\n').text).toBeUndefined();
  expect(read('').events).toEqual([]);
});

test('finds an empty text', () => {
  expect(read(chunk('')).text).toEqual({ pointer: '/choices/0/delta/content', text: '', textEvents: [] });
});

test.each([
  ['without its blank line', 'data: {"a":1}\n'],
  ['in the middle of its data', 'data: {"a":1}\n\ndata: {"a'],
  ['with a single CRLF', 'data: {"a":1}\r\n'],
  ['at the name of a field', 'data: {"a":1}\n\ndata'],
])('notices a last event %s', (_, body) => {
  expect(read(body).cutOff).toBe(true);
});

test('takes a comment or an empty line at the end for no event', () => {
  expect([read('data: 1\n\n: bye').cutOff, read('data: 1\n\n\n').cutOff, read('data: 1\r\r').cutOff]).toEqual(
    [false, false, false],
  );
});

test('notices bytes that are no UTF-8', () => {
  const body = Buffer.concat([Buffer.from('data: "'), Buffer.from([0xff]), Buffer.from('"\n\n')]);
  expect(read(body)).toMatchObject({ isUtf8: false, cutOff: false });
});

test('dates each event by the arrival of its last byte, even where a character is split', () => {
  const first = Buffer.from(chunk('Grüße'));
  const body = Buffer.concat([first, Buffer.from(chunk('!'))]);
  const split = first.indexOf(0xc3) + 1;
  const reading = read(body, {}, [
    { at: 5, upTo: split },
    { at: 50, upTo: first.length + 3 },
    { at: 90, upTo: body.length },
  ]);
  expect(reading.text?.text).toBe('Grüße!');
  expect(reading.events.map(({ at }) => at)).toEqual([50, 90]);
});

test('reads whole data as text where the profile pins it, also what looks like a number', () => {
  const body = 'data: 1\n\ndata:  and "two"\n\ndata: {"finish_reason":"stop"}\n\n';
  expect(read(body, { pins: { 'stream.text': '' } }).text?.text).toBe('1 and "two"');
});

test('shows where the text is given a pinned place that is empty', () => {
  expect(read(chunk('Hi.'), { pins: { 'stream.text': '/zzz' } }).text?.pointer).toBe(
    '/choices/0/delta/content',
  );
});

test('reads the finish reason where the profile pins it, or else in its own way, whatever the response has', () => {
  const body = 'data: {"delta":{"content":"Hi."}}\n\ndata: {"ende":"a","finish_reason":"b"}\n\n';
  const reasons = [
    { 'stream.finish_reason': '/ende' },
    { 'response.finish_reason': '/ende' },
    { 'response.finish_reason': '/choices/0/ende' },
  ].map((pins) => read(body, { pins }).finishReason);
  expect(reasons).toMatchObject([{ value: 'a' }, { value: 'a' }, { value: 'b' }]);
  const moved = read(body, { pins: { 'stream.finish_reason': '/zzz' } });
  expect(moved.finishReason).toEqual({ pointer: '/finish_reason', value: 'b' });
});

test('reads where the profile pins in any event, before it looks elsewhere in the last one', () => {
  const body =
    'data: {"delta":{"content":"Hi."},"ende":"a","made":{"x":1}}\n\ndata: {"status":"b","usage":{"y":2}}\n\n';
  const pins = { 'stream.finish_reason': '/ende', 'stream.usage': '/made' };
  expect(read(body, { pins })).toMatchObject({
    finishReason: { pointer: '/ende' },
    usage: { pointer: '/made' },
  });
});

test('does not recognise what a list holds', () => {
  const body = 'data: ["t","Hi."]\n\ndata: ["f","stop"]\n\n';
  expect(read(body, { pins: { 'stream.text': '/1' } })).toMatchObject({
    finishReason: 'unrecognised',
    usage: 'unrecognised',
  });
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
  ['text/event-stream  ', true],
  ['text/event-streams', false],
  ['text/event-stream-x; charset=utf-8', false],
  ['x-text/event-stream', false],
  ['application/json', false],
])('says whether %j is the content type of an event stream: %s', (type, expected) => {
  expect(isEventStreamType(answerOf(answered({ headers: { 'content-type': type } })))).toBe(expected);
  expect(isEventStreamType(answerOf(answered({ headers: {} })))).toBe(false);
});

const WHOLE = 'data: {"choices":[{"message":{"content":"Hi."}}]}\n\n';

test.each([
  ['one whole response', WHOLE, 'whole'],
  ['two of them', `${WHOLE}${WHOLE}`, 'chunks'],
  ['one text of another name', 'data: {"token":"Hi."}\n\n', 'unknown'],
  ['two of them', 'data: {"token":"Hi."}\n\ndata: {"token":"x"}\n\n', 'chunks'],
  ['no text', 'data: {"q":1}\n\n', 'unknown'],
])('reads the framing of %s in %j: %s', (_, body, framing) => {
  expect(read(body).framing).toBe(framing);
});

test('finds usage elsewhere than where it is pinned', () => {
  const body = `${chunk('Hi.')}data: {"usage":{"total_tokens":3}}\n\n`;
  expect(read(body, { pins: { 'stream.usage': '/zzz' } }).usage).toMatchObject({ pointer: '/usage' });
});

test('says absent of what no event can hold, and unrecognised of what one of them may', () => {
  expect(read('data: []\n\ndata: 7\n\n')).toMatchObject({ usage: 'absent', finishReason: 'absent' });
  expect(read('').usage).toBe('absent');
  expect(read(`${chunk('Hi.')}data: {"q":{"made":3}}\n\n`).usage).toBe('unrecognised');
  expect(read(`data: {"q":{"made":3}}\n\n${chunk('Hi.')}`).usage).toBe('unrecognised');
});
