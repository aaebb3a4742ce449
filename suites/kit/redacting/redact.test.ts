import { inspect } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Answer } from '../model/exchange.ts';
import type { Ruling } from '../model/ruling.ts';
import { answered } from '../test-support/exchange.ts';
import { RARE_SPELLINGS, SPELLINGS, spellingsIn } from '../test-support/spellings.ts';
import { redactorOf } from './redact.ts';

const key = 'sk-canary/Zx+81_éQ7wRt5';
const ascii = 'sk-Kj4/Tz9+canary_Wm2.Hd8~Xq6=Bv3';
const redact = redactorOf({ keys: { primary: key }, headers: {} });
const redactAscii = redactorOf({
  keys: { primary: ascii, second: 'another-key-of-somebody' },
  headers: { 'x-session': 'Ty7-session-Gh4', 'x-team': 'conformance' },
});

test('replaces a key by its name, in text and in bytes', () => {
  expect(redact.text(`Bearer ${key}!`)).toBe('Bearer [key:primary]!');
  expect(Buffer.from(redact.bytes(Buffer.from(`Bearer ${key}!`))).toString()).toBe('Bearer [key:primary]!');
});

test('leaves bytes without a key untouched', () => {
  const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x41]);
  expect(redact.bytes(bytes)).toBe(bytes);
});

test('finds a key that another one begins with', () => {
  const { whole } = redactorOf({ keys: { primary: 'my-own-key-1', second: 'my-own-key' }, headers: {} });
  expect(whole('my-own-key, my-own-key-2, my-own-key-1')).toBe('[key:second], [key:second]-2, [key:primary]');
});

test('finds a key inside base64, URL encoding and hexadecimal, whatever is around it', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      const whole = before + key + after;
      for (const encoded of [
        Buffer.from(whole).toString('base64'),
        Buffer.from(whole).toString('base64url'),
        Buffer.from(whole).toString('hex'),
        Buffer.from(whole).toString('latin1') === whole ? whole : key,
        encodeURIComponent(key),
      ]) {
        expect(redact.text(encoded)).toContain('[key:primary]');
      }
    }),
  );
});

const ALL = { ...SPELLINGS, ...RARE_SPELLINGS };

test.each(Object.entries(ALL))('removes a key given %s', (_name, spell) => {
  const text = `{"echo":"${spell(ascii)}"}`;
  expect(spellingsIn(text, ascii, ALL)).not.toEqual([]);
  expect(spellingsIn(redactAscii.text(text), ascii, ALL)).toEqual([]);
  expect(spellingsIn(Buffer.from(redactAscii.bytes(Buffer.from(text))).toString(), ascii, ALL)).toEqual([]);
});

test('leaves the text around a key unchanged', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(ALL)),
      fc.stringMatching(/^[ %&\\un#x;"0-9]{0,12}$/),
      (name, around) => {
        const spelt = ALL[name]?.(ascii) ?? '';
        const redacted = redactAscii.text(`<${around}> ${spelt} <${around}>`);
        expect(redacted.startsWith(`<${around}> `)).toBe(true);
        expect(redacted.endsWith(` <${around}>`)).toBe(true);
      },
    ),
  );
});

test('distinguishes a whole key from a part of one', () => {
  expect(redactAscii.text(ascii.slice(0, -1))).toBe('[part of key:primary]');
  expect(redactAscii.text(ascii.toUpperCase())).toBe('[part of key:primary]');
  expect(redactAscii.text(`${ascii}${ascii}`)).toBe('[key:primary][key:primary]');
});

const zeros = 'sk-noscope-000000000';
const redactZeros = redactorOf({ keys: { unscoped: zeros, primary: '1212121212121212' }, headers: {} });

test('leaves a number that shares only a row of equal digits with a key', () => {
  for (const text of [
    '{"max_tokens":2000000005}',
    `{"n":${'0'.repeat(500)}}`,
    'a 1212121212 b',
    '0'.repeat(9),
  ])
    expect(redactZeros.text(text)).toBe(text);
  expect(redactZeros.text('half of it: scope-000000000')).toBe('half of it: [part of key:unscoped]');
});

test('replaces a whole key of few different characters, whatever is around it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('1212121212121212', 'kkkkkkkkkkkkkkkk', '000000000abcdef', 'abcdef000000000'),
      fc.stringMatching(/^[01k]{0,20}$/),
      fc.stringMatching(/^[ x][01k]{0,20}$/),
      (secret, before, after) => {
        const { text } = redactorOf({ keys: { primary: secret }, headers: {} });
        expect(text(`${before}${secret}${after}`)).toContain('[key:primary]');
        expect(text(`${before}${secret}${after}`)).not.toContain(secret);
      },
    ),
  );
});

test('leaves the short prefix that a target shows of a key, and text that only looks like it', () => {
  expect(redactAscii.text('Incorrect key: sk-Kj4/T****')).toBe('Incorrect key: sk-Kj4/T****');
});

test('finds a key in names and texts of a value at any depth', () => {
  const value = { list: [1, null, true, { [ascii]: `x ${ascii}` }] };
  expect(redactAscii.value(value)).toEqual({
    list: [1, null, true, { '[key:primary]': 'x [key:primary]' }],
  });
});

test('changes nothing given only keys too short to distinguish from other words', () => {
  expect(redactorOf({ keys: { primary: 'k' }, headers: {} }).text('a key, %6b, k')).toBe('a key, %6b, k');
});

test('replaces the value of a header with the name of a secret', () => {
  expect(redactAscii.text('Ty7-session-Gh4 of conformance')).toBe('[key:header x-session] of conformance');
});

test('drops a compressed body with a key, and keeps one without', async () => {
  const headers = { 'content-encoding': 'gzip' };
  const outcomes = [`{"echo":"${ascii}"}`, '{"echo":"nothing"}'].map(
    (body) => answered({ headers, body: gzipSync(body) }).outcome,
  );
  const answers = await Promise.all(outcomes.map((outcome) => redactAscii.outcome(outcome)));
  const bodies = answers.map((redacted) =>
    redacted.kind === 'answered' ? Buffer.from(redacted.answer.body).toString('latin1') : '',
  );
  expect(bodies[0]).toBe('[a compressed body that holds a key]');
  expect(gunzipSync(Buffer.from(bodies[1] ?? '', 'latin1')).toString()).toBe('{"echo":"nothing"}');
});

test('keeps a text that was decoded already, even where it could be Brotli of something unreadable', async () => {
  const body = '"\nouoEsH6r"5aEa,2ls\nEdvEcex[oGE1wCu ai2:jk\n kem9tn,9s!f3a_[f8vtnaAB\n661peEu"';
  const headers = { 'content-encoding': 'br' };
  const kept = async (decoded: { decoded?: true }): Promise<Answer> =>
    ((await redactAscii.outcome(answered({ headers, body, ...decoded }).outcome)) as { answer: Answer })
      .answer;
  expect((await kept({})).whole?.isWithheld).toBe(true);
  expect(Buffer.from((await kept({ decoded: true })).body).toString()).toBe(body);
});

test('finds a key in UTF-16', () => {
  expect(redactAscii.text(Array.from(ascii).join('\0'))).toBe('[key:primary]');
});

const team = redactorOf({
  keys: { primary: 'localhost-team-7f3a9c21' },
  headers: { 'x-gateway-secret': 'my-gateway-secret-5' },
  baseUrl: 'http://localhost:8080/v1',
});

test('leaves the base URL, and the names of headers, that share letters with a secret', () => {
  const line = 'curl http://localhost:8080/v1 -H x-gateway-secret';
  expect(team.text(line)).toBe(line);
  expect(team.text('my-gateway-secret-5 of localhost-team')).toBe(
    '[key:header x-gateway-secret] of [part of key:primary]',
  );
});

test('leaves the words of an answer that a key holds', () => {
  const { text } = redactorOf({ keys: { primary: 'sk-prompt_tokens-of-the-assistant' }, headers: {} });
  const answer = '{"role":"assistant","usage":{"prompt_tokens":1}}';
  expect(text(answer)).toBe(answer);
  expect(text('"prompt_tokens-of"')).toBe('"[part of key:primary]"');
});

const OURS = 'no-request-id';
const quoting: readonly (Ruling | Error)[] = [
  { kind: 'violated', finding: { code: OURS, expected: `not ${ascii}`, actual: ascii } },
  { kind: 'observed', observations: [{ point: OURS, value: { [ascii]: [ascii] } }] },
  { kind: 'not-exercised', reason: ascii, hint: ascii },
  { kind: 'inconclusive', reason: ascii },
  new TypeError(ascii),
];

test.each(quoting)('takes a key out of the texts of a ruling, and leaves its IDs', (ruling) => {
  const redacted = redactAscii.ruling(ruling);
  expect(inspect(redacted, { depth: 9 })).toContain('[key:primary]');
  expect(inspect(redacted, { depth: 9 })).not.toContain(ascii);
  const { ruling: ofOurs } = redactorOf({ keys: { primary: OURS }, headers: {} });
  const ids = JSON.stringify(redacted).includes(OURS);
  expect(JSON.stringify(ofOurs(redacted)).includes(OURS)).toBe(ids);
});

test('removes a key and a part of one from the name of a header of an answer', async () => {
  const names = ['x-localhost-team-7f3a9c21', 'y-team-7f3a9c21', 'x-gateway-secret'];
  const { outcome } = answered({ headers: Object.fromEntries(names.map((name) => [name, 'yes'])) });
  const { answer } = (await team.outcome(outcome)) as { answer: Answer };
  expect(Object.keys(answer.headers)).toEqual([
    'x-[key:primary]',
    'y[part of key:primary]',
    'x-gateway-secret',
  ]);
});

test('leaves a ruling the duties that its trial bears on', () => {
  const duties = { duties: ['serves a stream'] };
  for (const kind of ['not-exercised', 'inconclusive'] as const)
    expect(redactAscii.ruling({ kind, reason: 'it broke', ...duties })).toMatchObject(duties);
});
