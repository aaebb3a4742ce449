import { createHash, randomBytes } from 'node:crypto';
import { deflateRawSync, gzipSync, brotliCompressSync, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { answered } from '../test-support/exchange.ts';
import { RARE_SPELLINGS, SPELLINGS, spellingsIn } from '../test-support/spellings.ts';
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

test('reads a body of every escape at once a bounded number of times', () => {
  expect(workOn(Buffer.alloc(SIZE, `${HOSTILE.join(' ')} `))).toBeLessThanOrEqual(9 * SIZE);
});

/** The most bytes that are read between two turns of other work, and a little more. */
const AT_A_TIME = 160 * 1024;

test.each(['\\\\u0025', key, ' '])('lets other work go on while it reads 2 MiB of %j', async (unit) => {
  let turns = 0;
  const other = (function again(): NodeJS.Immediate {
    turns += 1;
    return setImmediate(again);
  })();
  const body = Buffer.alloc(2 * 1024 * 1024, unit);
  const before = turns;
  await kept(body);
  clearImmediate(other);
  expect(turns - before).toBeGreaterThanOrEqual(body.length / AT_A_TIME);
});

test('uses no more memory for a large body than for a part of it', () => {
  const views = new Set<ArrayBufferLike>();
  for (const { bytes } of unescapeLayers(Buffer.alloc(SIZE, HOSTILE.join(' ')))) views.add(bytes.buffer);
  // Its own, and the one in which every reading is made.
  expect(views.size).toBe(2);
});

test('finds where a byte was written, in whichever order it is asked', () => {
  const body = Buffer.from('a%25\\u0062&#99;%2564\\u00'.repeat(40));
  for (const view of unescapeLayers(body)) {
    const { length } = view;
    const inOrder = Array.from({ length }, (_, at) => [view.start(at), view.end(at + 1)]);
    const backwards = Array.from({ length }, (_, at) => [view.start(length - 1 - at), view.end(length - at)]);
    expect(backwards.toReversed()).toEqual(inOrder);
    expect(inOrder.flat()).toEqual(inOrder.flat().toSorted((one, other) => one - other));
  }
});

const PART = 128 * 1024;

test.each(Object.entries({ ...SPELLINGS, ...RARE_SPELLINGS }))(
  'finds a key where a part of a large body ends: %s',
  async (_name, spell) => {
    const spelt = spell(key);
    for (const before of [
      PART - 2 * spelt.length,
      PART - (spelt.length >> 1),
      PART - 1,
      PART + 8 * 1024 - 9,
    ]) {
      const filler = 'word '.repeat(PART / 4).slice(0, before - 2);
      const body = Buffer.from(`${filler} "${spelt}" ${'and more '.repeat(9000)}`);
      const redacted = Buffer.from((await kept(body)).body).toString();
      const around = redacted.slice(before - 100, before + spelt.length + 100);
      expect([before, spellingsIn(around, key, { ...SPELLINGS, ...RARE_SPELLINGS })]).toEqual([before, []]);
    }
  },
);
