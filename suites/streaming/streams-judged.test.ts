import { expect, test } from 'vitest';
import { streamFinishReasonReturned, streamUsageReturned } from '../chat-response/response-parts.ts';
import type { Check } from '../engine/model/check.ts';
import type { Profile } from '../engine/model/target.ts';
import { answered } from '../engine/test-support/exchange.ts';
import { ruled } from '../engine/test-support/rulings.ts';
import { infoForTest } from '../engine/test-support/target-info.ts';
import { streamFraming, streamIsEventStream, streamIsWhole } from './well-formed-stream.ts';

const CHAT = { model: 'small', messages: [{ role: 'user', content: 'Hi.' }], stream: true };
const EVENT_STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };
const CHUNK = 'data: {"choices":[{"delta":{"content":"Hi."}}]}\n\n';
const END = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"completion_tokens":1}}\n\n';
const GOOD = `${CHUNK}${END}data: [DONE]\n\n`;
const ALL = [streamIsEventStream, streamIsWhole, streamUsageReturned, streamFinishReasonReturned];

function ruling(check: Check, body: string | Uint8Array, profile: Profile = {}, headers = EVENT_STREAM) {
  return ruled(check, { exchanges: [answered({ body, headers }, CHAT)] }, infoForTest({ profile }));
}

test.each([
  ['chunks of the convention', GOOD],
  ['chunks without a terminator', `${CHUNK}${END}`],
  [
    'CRLF, comments, retry and named events',
    `: hi\r\n\r\nretry: 5\r\n\r\n${`event: chunk\n${GOOD}`.replaceAll('\n', '\r\n')}`,
  ],
  [
    'one whole response',
    'data: {"choices":[{"message":{"content":"Hi."},"finish_reason":"stop"}],"usage":{"total":1}}\n\n',
  ],
  [
    'unknown names',
    'event: text\ndata: {"token":"Hi."}\n\nevent: end\ndata: {"stop_reason":"x","tokens":{"out":1}}\n\n',
  ],
])('every check holds given %s', (_, body) => {
  expect(ALL.map((check) => ruling(check, body).kind)).toEqual(ALL.map(() => 'holds'));
});

test.each([
  ['a chat that asked for no stream', answered({ body: GOOD, headers: EVENT_STREAM })],
  ['one that was refused', answered({ status: 400, body: { error: { code: 'x', message: 'y' } } }, CHAT)],
  ['one that is no JSON', answered({ body: GOOD, headers: EVENT_STREAM }, '{"model":')],
])('no check judges %s', (_, exchange) => {
  const kinds = ALL.map((check) => ruled(check, { exchanges: [exchange] }).kind);
  expect(kinds).toEqual(ALL.map(() => 'not-exercised'));
});

test('violates STR-1, and only STR-1, given a normal response or another content type', () => {
  for (const headers of [{ 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
    expect(ruling(streamIsEventStream, GOOD, {}, headers)).toMatchObject({
      finding: { code: 'no-event-stream', path: 'content-type' },
    });
    expect(ruling(streamIsWhole, GOOD, {}, headers).kind).toBe('not-exercised');
  }
});

const chunkOf = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
const NOT_UTF8 = Buffer.concat([Buffer.from(CHUNK), Buffer.from([0xc3, 0x0a, 0x0a])]);
const BROKEN_JSON = 'data: {"choices":[{"delta":\n\ndata: {"content":"Hi."}}]}\n\n';

test.each([
  ['no event', ': nothing here\n\n', 'no-events'],
  ['an empty body', '', 'no-events'],
  ['a response that is no event stream', '{"choices":[]}', 'no-events'],
  ['an event that is not ended', `${CHUNK}${END}data: [DONE]\n`, 'cut-off'],
  ['half an event', `${CHUNK}data: {"choi`, 'cut-off'],
  ['bytes that are not UTF-8', NOT_UTF8, 'not-utf8'],
  ['JSON broken by a newline', BROKEN_JSON, 'broken-json'],
  ['an error after text', `${CHUNK}data: {"error":{"code":"x","message":"No."}}\n\n`, 'broken-off'],
  ['broken JSON behind spaces', `${CHUNK}data:  {"choices":[\n\n`, 'broken-json'],
  ['only a terminator', 'data: [DONE]\n\n', 'no-text'],
  // Each half of it was decoded alone.
  ['a character in halves', chunkOf('na\u{fffd}') + chunkOf('\u{fffd}ve') + END, 'split-character'],
])('violates STR-3 given %s', (_, body, code) => {
  expect(ruling(streamIsWhole, body)).toMatchObject({ kind: 'violated', finding: { code } });
});

test('leaves a replacement character alone that the model may have written', () => {
  const echoed = chunkOf('You wrote \u{fffd}\u{fffd}.') + chunkOf('\u{fffd}') + chunkOf('and more') + END;
  expect(ruling(streamIsWhole, echoed).kind).toBe('holds');
});

test('leaves open what it does not recognise, and says what to pin', () => {
  const body = 'data: {"q":"Hi.","spent":{"made":1}}\n\n';
  expect(ruling(streamIsWhole, body)).toMatchObject({
    kind: 'not-exercised',
    hint: expect.stringContaining('pin "stream.text" in a profile'),
  });
  expect(ruling(streamUsageReturned, body).kind).toBe('not-exercised');
  const pins = { 'stream.text': '/q' };
  expect(ruling(streamIsWhole, body, { pins }).kind).toBe('holds');
  expect(ruling(streamUsageReturned, body, { pins })).toMatchObject({
    hint: 'pin "stream.usage" in a profile',
  });
  expect(ruling(streamUsageReturned, body, { pins: { ...pins, 'stream.usage': '/spent' } }).kind).toBe(
    'holds',
  );
});

test('violates RES-4 and RES-3 given a stream in which nothing can be usage or finish reason', () => {
  const body = `${CHUNK}data: [DONE]\n\n`;
  expect(ruling(streamUsageReturned, body)).toMatchObject({ finding: { code: 'no-usage' } });
  expect(ruling(streamFinishReasonReturned, body)).toMatchObject({ finding: { code: 'no-finish-reason' } });
});

const ENDLESS = 'data: {}\n\ndata: [DONE]\n\n';
const OUTCOME = 'data: {"choices":[{"delta":{"content":"Hi."},"outcome":"over"}]}\n\n';

test.each<[Check, string, string, string]>([
  [streamUsageReturned, 'no text', 'data: [DONE]\n\n', 'not-exercised'],
  [streamFinishReasonReturned, 'no text', 'data: [DONE]\n\n', 'not-exercised'],
  [streamUsageReturned, 'an event without text', ENDLESS, 'not-exercised'],
  [streamFinishReasonReturned, 'an event without text', ENDLESS, 'not-exercised'],
  [streamIsWhole, 'an event without text', ENDLESS, 'not-exercised'],
  [streamFinishReasonReturned, 'no terminator', CHUNK, 'violated'],
  [streamFinishReasonReturned, 'an unknown terminator', `${CHUNK}data: stop\n\n`, 'not-exercised'],
  [streamFinishReasonReturned, 'a member that may be it', OUTCOME, 'not-exercised'],
  [
    streamFinishReasonReturned,
    'a name that may be it',
    `${CHUNK}event: stopped\ndata: {}\n\n`,
    'not-exercised',
  ],
])('$0.id: given $1 it is $3', (check, _, body, kind) => {
  expect(ruling(check, body).kind).toBe(kind);
});

test('observes the framing', () => {
  expect(ruling(streamFraming, GOOD)).toEqual({
    kind: 'observed',
    observations: [
      { point: 'stream.framing', value: 'chunks' },
      { point: 'stream.text', value: '/choices/0/delta/content' },
      { point: 'stream.terminator', value: '[DONE]' },
      { point: 'stream.event_names', value: [] },
      { point: 'stream.newline', value: 'lf' },
      { point: 'stream.finish_reason', value: '/choices/0/finish_reason' },
      { point: 'stream.usage', value: '/usage' },
    ],
  });
  expect(ruling(streamFraming, 'event: b\ndata: {"q":1}\n\nevent: a\ndata: {}\n\n')).toMatchObject({
    observations: [{ value: 'unknown' }, { value: null }, { value: ['a', 'b'] }, { value: 'lf' }],
  });
});
