import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { NEAR_MISS_KEYS } from '../../../fixtures/credentials/wrong-credentials.ts';
import type { Answer } from '../model/exchange.ts';
import type { Ruling } from '../model/ruling.ts';
import { type AnswerForTest, answered } from '../test-support/exchange.ts';
import { redactorOf } from './redact.ts';

const key = 'sk-Kj4/Tz9+canary_Wm2.Hd8~Xq6=Bv3';
const redact = redactorOf({
  keys: { primary: key, second: 'another-key-of-somebody' },
  headers: { 'x-session': 'Ty7-session-Gh4', 'x-team': 'conformance' },
});

async function kept(answer: AnswerForTest): Promise<Answer> {
  const outcome = await redact.outcome(answered(answer).outcome);
  if (outcome.kind !== 'answered') throw new TypeError('it was answered');
  return outcome.answer;
}

test('replaces a key by its name, and the value of a header with the name of a secret', () => {
  expect(redact.text(`Bearer ${key}!`)).toBe('Bearer [key:primary]!');
  expect(Buffer.from(redact.bytes(Buffer.from(`Bearer ${key}!`))).toString()).toBe('Bearer [key:primary]!');
  expect(redact.text('Ty7-session-Gh4 of conformance')).toBe('[key:header x-session] of conformance');
});

test('replaces a key in the body of an answer, and in the names and values of its headers', async () => {
  const { body, headers } = await kept({ body: Buffer.from(key), headers: { [`x-${key}`]: key } });
  expect(Buffer.from(body).toString()).toBe('[key:primary]');
  expect(headers).toEqual({ 'x-[key:primary]': '[key:primary]' });
});

test('leaves out what may be the beginning of a key at the end of a body that was cut, and cuts no character', async () => {
  const text = `${'é'.repeat(1000)}${key.slice(0, -1)}`;
  for (const before of ['', 'a']) {
    const { body } = await kept({ body: Buffer.from(before + text), whole: { bytes: 9000, sha256: '' } });
    expect(Buffer.from(body).toString()).toMatch(/^a?é+$/);
  }
});

test('replaces what a run made of the key to be refused, where its answer quotes it', async () => {
  for (const { label, header } of NEAR_MISS_KEYS) {
    const { outcome } = answered({ body: Buffer.from(`no such key: <${header(key)}>`) });
    const redacted = await redact.outcome(outcome, { kind: 'forged', label, header });
    const text = redacted.kind === 'answered' ? Buffer.from(redacted.answer.body).toString() : '';
    expect(text).toMatch(/^no such key: <.+>$/);
    for (let at = 0; at + 8 <= key.length; at += 1)
      expect(text.toLowerCase()).not.toContain(key.toLowerCase().slice(at, at + 8));
  }
  const { outcome } = answered({ body: Buffer.from('undefined') });
  const harmless = { kind: 'forged', label: '', header: () => 'Bearer undefined' } as const;
  expect(await redact.outcome(outcome, harmless)).toEqual(outcome);
});

const echo = JSON.stringify({ echo: `a text of some length, then Bearer ${key}, and more of it`.repeat(9) });

test.each([
  ['gzip', gzipSync(echo)],
  ['gzip', gzipSync(echo).subarray(0, -12)],
  ['gzip, gzip', gzipSync(gzipSync(echo))],
  ['deflate', deflateSync(echo)],
  ['deflate', deflateRawSync(echo)],
  ['br', brotliCompressSync(echo)],
  ['gzip', gzipSync(Buffer.alloc(5_000_000))],
])('withholds a body in %s that holds a key, or too much to be searched', async (coding, body) => {
  const answer = await kept({ body, headers: { 'content-encoding': coding } });
  expect(Buffer.from(answer.body).toString()).toMatch(/^\[a compressed body that holds a key, or/);
  const sha256 = createHash('sha256').update(body).digest('hex');
  expect(answer.whole).toEqual({ bytes: body.length, sha256, isWithheld: true });
});

test('keeps a compressed body without a key, and one that is in another coding than it declares', async () => {
  for (const body of [gzipSync('{"echo":"nothing"}'), Buffer.from('{"echo":"nothing"}')])
    expect((await kept({ body, headers: { 'content-encoding': 'gzip' } })).body).toEqual(body);
});

const OURS = 'no-request-id';
const quoting: readonly (Ruling | Error)[] = [
  { kind: 'violated', finding: { code: OURS, expected: `not ${key}`, actual: key } },
  { kind: 'observed', observations: [{ point: OURS, value: { [key]: [key] } }] },
  { kind: 'not-exercised', reason: key, hint: key },
  { kind: 'inconclusive', reason: key },
  new TypeError(key),
];

test.each(quoting)('takes a key out of the texts of a ruling, and leaves its IDs', (ruling) => {
  const redacted = redact.ruling(ruling);
  expect(inspect(redacted, { depth: 9 })).toContain('[key:primary]');
  expect(inspect(redacted, { depth: 9 })).not.toContain(key);
  const { ruling: ofOurs } = redactorOf({ keys: { primary: OURS }, headers: {} });
  const ids = JSON.stringify(redacted).includes(OURS);
  expect(JSON.stringify(ofOurs(redacted)).includes(OURS)).toBe(ids);
});

test('leaves a ruling the duties that its trial bears on', () => {
  const duties = { duties: ['serves a stream'] };
  for (const kind of ['not-exercised', 'inconclusive'] as const)
    expect(redact.ruling({ kind, reason: 'it broke', ...duties })).toMatchObject(duties);
});
