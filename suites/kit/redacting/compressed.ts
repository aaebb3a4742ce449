import { isUtf8 } from 'node:buffer';
import {
  brotliDecompressSync,
  constants,
  inflateRawSync,
  inflateSync,
  gunzipSync,
  zstdDecompressSync,
} from 'node:zlib';

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

type Decode = (bytes: Uint8Array) => Uint8Array;

const { BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH } = constants;
// What is cut off is read as far as it goes.
const cutInflate = { finishFlush: Z_SYNC_FLUSH, maxOutputLength: MOST_DECODED_BYTES };
const cutBrotli = { finishFlush: BROTLI_OPERATION_FLUSH, maxOutputLength: MOST_DECODED_BYTES };

const gunzip: Decode = (bytes) => gunzipSync(bytes, cutInflate);
const inflate: Decode = (bytes) => inflateSync(bytes, cutInflate);
const inflateRaw: Decode = (bytes) => inflateRawSync(bytes, cutInflate);
const brotli: Decode = (bytes) => brotliDecompressSync(bytes, cutBrotli);
const zstd: Decode = (bytes) => zstdDecompressSync(bytes, { maxOutputLength: MOST_DECODED_BYTES });

const DECLARED: Readonly<Record<string, Decode>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  br: brotli,
  zstd,
};

/** Reads a body through its compression, declared or not, cut off or not. */
export function readability(bytes: Uint8Array, coding = ''): Readability {
  const declared = DECLARED[coding.trim().toLowerCase()];
  const plain: Uint8Array[] = [];
  let inner = bytes;
  while (plain.length < MOST_LAYERS) {
    const next = decoded(inner, plain.length === 0 ? declared : undefined);
    if (next === undefined) break;
    plain.push((inner = next));
  }
  if (looksCompressed(inner)) return { kind: 'unreadable' };
  return plain.length === 0 ? { kind: 'plain' } : { kind: 'compressed', plain };
}

function decoded(bytes: Uint8Array, declared: Decode | undefined): Uint8Array | undefined {
  const magic = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const isZlib = ((bytes[0] ?? 0) & 0x0f) === 8 && magic % 31 === 0;
  const known =
    declared ?? (magic === 0x1f8b ? gunzip : magic === 0x28b5 ? zstd : isZlib ? inflate : undefined);
  const found = known === undefined ? undefined : attempt(known, bytes);
  if (found !== undefined || isUtf8(bytes) || bytes.length < FEWEST_BYTES) return found;
  // Neither of these begins in a way of its own: what they make of other bytes does not read like text.
  return [inflateRaw, brotli]
    .map((decode) => attempt(decode, bytes))
    .find((plain) => plain !== undefined && !looksCompressed(plain));
}

function attempt(decode: Decode, bytes: Uint8Array): Uint8Array | undefined {
  try {
    const plain = decode(bytes);
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
