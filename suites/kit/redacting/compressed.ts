import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';

/** Whether bytes can be read: as they are, or through their compression. */
export type Readability =
  | { readonly kind: 'plain' }
  | { readonly kind: 'compressed'; readonly plain: readonly Uint8Array[] }
  | { readonly kind: 'unreadable' };

/** A compression in a compression in a compression: no honest service goes further. */
const MOST_LAYERS = 3;

const MOST_DECODED_BYTES = 4 * 1024 * 1024;

/** Fewer bytes hold no telling part of a key. */
const FEWEST_BYTES = 16;

type Decode = (bytes: Uint8Array) => Promise<Uint8Array>;

const { BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH } = constants;
// What is cut off is read as far as it goes.
const cutInflate = { finishFlush: Z_SYNC_FLUSH, maxOutputLength: MOST_DECODED_BYTES };
const cutBrotli = { finishFlush: BROTLI_OPERATION_FLUSH, maxOutputLength: MOST_DECODED_BYTES };

// In a thread of their own, so that other work goes on.
const DECODE = {
  gzip: decoder(promisify(gunzip), cutInflate),
  zlib: decoder(promisify(inflate), cutInflate),
  raw: decoder(promisify(inflateRaw), cutInflate),
  brotli: decoder(promisify(brotliDecompress), cutBrotli),
  zstd: decoder(promisify(zstdDecompress), { maxOutputLength: MOST_DECODED_BYTES }),
};

function decoder<O>(decode: (bytes: Uint8Array, options: O) => Promise<Uint8Array>, options: O): Decode {
  return (bytes) => decode(bytes, options);
}

const DECLARED: Readonly<Record<string, Decode>> = {
  gzip: DECODE.gzip,
  'x-gzip': DECODE.gzip,
  deflate: DECODE.zlib,
  br: DECODE.brotli,
  zstd: DECODE.zstd,
};

/** Reads a body through its compression, declared or not, cut off or not. */
export async function readability(bytes: Uint8Array, coding = ''): Promise<Readability> {
  const declared = DECLARED[coding.trim().toLowerCase()];
  const plain: Uint8Array[] = [];
  let inner = bytes;
  while (plain.length < MOST_LAYERS) {
    const next = await decoded(inner, plain.length === 0 ? declared : undefined);
    if (next === undefined) break;
    plain.push((inner = next));
  }
  if (looksCompressed(inner)) return { kind: 'unreadable' };
  return plain.length === 0 ? { kind: 'plain' } : { kind: 'compressed', plain };
}

/** What remains of bytes without their codings; `wrong`: they are in another one; `too-large`: nobody reads so much. */
export type Decoded = Uint8Array | 'wrong' | 'too-large';

/** No answer is longer. */
const MOST_PLAIN_BYTES = 32 * 1024 * 1024;

/** Undoes codings as the `fetch` of Node does: the last first, and what is cut off as far as it goes. */
export async function withoutCodings(bytes: Uint8Array, codings: readonly string[]): Promise<Decoded> {
  let plain = bytes;
  try {
    for (const name of codings.toReversed()) plain = (await UNDO.get(name)?.(plain)) ?? plain;
    return plain;
  } catch (error) {
    return error instanceof RangeError ? 'too-large' : 'wrong';
  }
}

const whole = { finishFlush: Z_SYNC_FLUSH, maxOutputLength: MOST_PLAIN_BYTES };
const UNDO: ReadonlyMap<string, Decode> = new Map([
  ['gzip', decoder(promisify(gunzip), whole)],
  ['x-gzip', decoder(promisify(gunzip), whole)],
  // Some send it without the head that it should have.
  ['deflate', (bytes) => decoder(promisify(isZlib(bytes) ? inflate : inflateRaw), whole)(bytes)],
  ['br', decoder(promisify(brotliDecompress), { ...whole, finishFlush: BROTLI_OPERATION_FLUSH })],
]);

const isZlib = ([first = 0]: Uint8Array): boolean => (first & 0x0f) === 8;

async function decoded(bytes: Uint8Array, declared: Decode | undefined): Promise<Uint8Array | undefined> {
  const magic = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const known =
    declared ??
    (magic === 0x1f8b
      ? DECODE.gzip
      : magic === 0x28b5
        ? DECODE.zstd
        : isZlib(bytes) && magic % 31 === 0
          ? DECODE.zlib
          : undefined);
  const found = known === undefined ? undefined : await attempt(known, bytes);
  if (found !== undefined || isUtf8(bytes) || bytes.length < FEWEST_BYTES) return found;
  // Neither of these begins in a way of its own: what they make of other bytes does not read like text.
  const attempts = [DECODE.raw, DECODE.brotli].map((decode) => attempt(decode, bytes));
  const plain = await Promise.all(attempts);
  return plain.find((each) => each !== undefined && !looksCompressed(each));
}

async function attempt(decode: Decode, bytes: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    const plain = await decode(bytes);
    return plain.length > 0 ? plain : undefined;
  } catch {
    return undefined;
  }
}

/** Of 64 KiB the answer is as certain as of all. */
const SAMPLE = 65_536;

/**
 * Whether bytes look like the output of a compression or an encryption: not like text in any encoding, in which most bytes
 * are letters, or every other byte is zero.
 */
function looksCompressed(bytes: Uint8Array): boolean {
  if (bytes.length < FEWEST_BYTES) return false;
  const sample = bytes.subarray(0, SAMPLE);
  let [control, high] = [0, 0];
  for (const byte of sample) {
    if (byte < 0x20 && byte !== 0 && (byte < 0x09 || byte > 0x0d)) control += 1;
    else if (byte >= 0x7f) high += 1;
  }
  // A few bytes in a hundred are controls in no text; in random bytes they are eleven.
  return control / sample.length > 0.03 && (control + high) / sample.length > 0.25;
}
