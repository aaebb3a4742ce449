import { createHash, randomBytes } from 'node:crypto';
import { deflateRawSync, gzipSync, brotliCompressSync, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answered } from '../test-support/exchange.ts';
import { redactorOf } from './redact.ts';
import { unescapeLayers } from './unescape-layers.ts';
import { Windows } from './windows.ts';

const key = 'sk-Kj4/Tz9+canary_Wm2.Hd8~Xq6=Bv3';
const redact = redactorOf({ keys: { primary: key }, headers: {} });
const text = JSON.stringify({ echo: `a text of some length, then Bearer ${key}, and more of it`.repeat(9) });

async function kept(body: Uint8Array) {
  const outcome = await redact.outcome(answered({ body }).outcome);
  if (outcome.kind !== 'answered') throw new TypeError('it was answered');
  return outcome.answer;
}

const compressed: readonly (readonly [string, Buffer])[] = [
  ['gzip', gzipSync(text)],
  ['gzip, twice', gzipSync(gzipSync(text))],
  ['gzip, cut', gzipSync(text).subarray(0, -12)],
  ['deflate', deflateSync(text)],
  ['raw deflate', deflateRawSync(text)],
  ['brotli', brotliCompressSync(text)],
];

test.each(compressed)('withholds a body with a key in %s that does not say so', async (_name, body) => {
  const answer = await kept(body);
  expect(Buffer.from(answer.body).toString()).toMatch(/^\[a (compressed )?body/);
  const sha256 = createHash('sha256').update(body).digest('hex');
  expect(answer.whole).toEqual({ bytes: body.length, sha256, isWithheld: true });
});

test('withholds what looks encrypted', async () => {
  expect((await kept(randomBytes(2000))).whole?.isWithheld).toBe(true);
});

test('keeps text in any encoding, and bytes that are few', async () => {
  const bodies = [
    Buffer.from('日本語のテキスト'.repeat(20)),
    Buffer.from('\u00e9t\u00e9 '.repeat(20), 'latin1'),
  ];
  for (const body of [
    ...bodies,
    Buffer.from('some text'.repeat(9), 'utf16le'),
    Buffer.from([255, 0, 254, 65]),
  ])
    expect((await kept(body)).body).toEqual(body);
});

/** How many bytes a search looks at: of each reading of a body, every byte a few times. */
function workOn(body: Uint8Array): number {
  let work = 0;
  for (const { length } of unescapeLayers(body)) work += length;
  return work;
}

const SIZE = 64 * 1024;
const HOSTILE = [
  '\0',
  ' ',
  '\n',
  '\\',
  '%25',
  '\\u0000',
  '&#0',
  '&',
  key,
  key.slice(0, 14),
  '73 ',
  '115,',
  '=6D',
  '\\155',
];

test.each(HOSTILE)('reads a body of nothing but %j a bounded number of times', (unit) => {
  expect(workOn(Buffer.alloc(SIZE, unit))).toBeLessThanOrEqual(9 * SIZE);
});

test('reports no more matches than there is room for, given a secret that repeats itself', () => {
  const bytes = Buffer.from('k'.repeat(40));
  const windows = new Windows([{ name: 0, bytes, lower: bytes, least: 12 }], '');
  let matches = 0;
  windows.find(Buffer.alloc(SIZE, 'k'), SIZE, () => (matches += 1));
  expect(matches).toBeLessThanOrEqual(SIZE / 12);
});

test('lets other work go on while it reads a large body', async () => {
  let turns = 0;
  const other = setInterval(() => (turns += 1), 0);
  const counting = (function again(): NodeJS.Immediate {
    turns += 1;
    return setImmediate(again);
  })();
  const body = Buffer.alloc(256 * 1024, '\\\\u0025');
  const before = turns;
  await kept(body);
  clearInterval(other);
  clearImmediate(counting);
  expect(turns).toBeGreaterThan(before);
});
