import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compileFault } from './compile-faults.ts';
import { eventByEvent, headerValueOf, type OutgoingAnswer } from './deliveries.ts';
import type { Effect } from './fault.ts';

const BODY = ': hello\n\ndata: {"a":1}\n\ndata: {"b":2}\n\n';

function answer(body: string): OutgoingAnswer {
  return { status: 200, headers: ['content-type', 'text/plain', 'content-length', `${body.length}`], body };
}

function effectOf(line: string): Effect {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const occasion = { phase: 'inside-body', now, retryAfterSeconds: 7, draw: Number } as const;
  return compileFault(line).effect(occasion);
}

function rewritten(line: string, body = BODY): OutgoingAnswer {
  const effect = effectOf(line);
  if (effect.kind !== 'deliver') throw new Error('the fault is of no answer');
  return effect.change?.(answer(body), () => '{"error":{}}') ?? answer(body);
}

test.each([
  ['duplicate_event event=1', BODY.replace('data: {"a":1}\n\n', (event) => event + event)],
  ['duplicate_event event=9', `${BODY}data: {"b":2}\n\n`],
  ['malformed_event event=1', BODY.replace('{"a":1}', '{"a')],
  ['error_event events=1', ': hello\n\ndata: {"a":1}\n\ndata: {"error":{}}\n\n'],
  ['error_event events=0', 'data: {"error":{}}\n\n'],
])('changes the events for %s, and says how long the body is', (line, body) => {
  expect(rewritten(line)).toEqual(answer(body));
});

test('keeps the line ends of a stream', () => {
  const { body } = rewritten('malformed_event event=1', BODY.replaceAll('\n', '\r\n'));
  expect(body).toBe(BODY.replace('{"a":1}', '{"a').replaceAll('\n', '\r\n'));
});

test.each([
  ['wrong_header', 'content-type', ['text/html']],
  ['wrong_header how=missing', 'content-type', []],
  ['wrong_header how=doubled value=a/b', 'content-type', ['text/plain', 'a/b']],
  ['wrong_header header=content-length value=7', 'content-length', ['7']],
  ['wrong_header header=content-length how=missing', 'content-length', []],
  ['wrong_header header=content-length how=doubled', 'content-length', ['39', '40']],
  ['wrong_header header=content-encoding', 'content-encoding', ['gzip']],
])('sends for %s the header %s as %j, and the body as it is', (line, name, values) => {
  const { headers, body } = rewritten(line);
  expect(headers.filter((_, index) => index % 2 === 1 && headers[index - 1] === name)).toEqual(values);
  expect(body).toBe(BODY);
});

test.each([
  ['missing', []],
  ['doubled', ['gzip', 'gzip']],
])('compresses the body once given a %s Content-Encoding', (how, values) => {
  const { headers, body } = rewritten(`wrong_header header=content-encoding how=${how}`);
  expect(gunzipSync(Buffer.from(body, 'latin1')).toString('latin1')).toBe(BODY);
  expect(headerValueOf(headers, 'content-length')).toBe(`${body.length}`);
  expect(headers.filter((_, index) => headers[index - 1] === 'content-encoding')).toEqual(values);
});

function partsOf(line: string, body: string): readonly string[] {
  const effect = effectOf(line);
  return effect.kind === 'deliver' ? [...(effect.parts?.(body) ?? [])] : [];
}

const ACCENTS = 'a\u00c3\u00a4b\u00e2\u0082\u00acc';

test.each([
  ['body_cut at=character', ACCENTS, 'a\u00c3'],
  ['body_cut at=character bytes=2', ACCENTS, 'a\u00c3\u00a4b\u00e2'],
  ['body_cut at=character bytes=6', ACCENTS, ACCENTS.slice(0, 6)],
  ['body_cut at=character bytes=2', 'abcde', 'ab'],
  ['body_cut bytes=2', ACCENTS, 'a\u00c3'],
])('cuts for %s the body %j after %j', (line, body, part) => {
  expect(partsOf(line, body)).toEqual([part]);
});

test('parts a long stream into its events in a time that its length allows', () => {
  const before = performance.now();
  const events = [...(eventByEvent(0).parts?.('data: {}\n\n'.repeat(20_000)) ?? [])];
  expect(events).toHaveLength(20_000);
  expect(performance.now() - before).toBeLessThan(3000);
});

test.each([
  ['nonsense', 'nonsense'],
  ['"date+x"', 'date+x'],
  ['30', '30'],
  ['-1', '-1'],
])('says Retry-After for %s as %s', (asked, value) => {
  const effect = effectOf(`rate_limit retry_after=${asked}`);
  expect(effect).toMatchObject({ error: { particulars: { headers: ['retry-after', value] } } });
});

test.each([30, 0, -30])('says Retry-After as a date that is %i seconds from the real time', (seconds) => {
  const before = Date.now();
  const effect = effectOf(`rate_limit retry_after=date${seconds > 0 ? '+' : ''}${seconds || ''}`);
  const after = Date.now();
  if (effect.kind !== 'refuse') throw new Error('the fault refuses nothing');
  const said = Date.parse(effect.error.particulars.headers?.[1] ?? '');
  expect(said).toBeGreaterThanOrEqual(before + seconds * 1000);
  expect(said).toBeLessThan(after + seconds * 1000 + 1000);
});
