import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';

/** What remains of bytes without their codings; `wrong`: they are in another one; `too-large`: nobody reads so much. */
export type Decoded = Uint8Array | 'wrong' | 'too-large';

/** No answer is longer. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Undoes codings as the `fetch` of Node does: the last first, and what is cut off as far as it goes. */
export async function withoutCodings(
  bytes: Uint8Array,
  codings: readonly string[],
  mostBytes = MOST_BYTES,
): Promise<Decoded> {
  let plain = bytes;
  try {
    for (const name of codings.toReversed()) plain = (await UNDO.get(name)?.(plain, mostBytes)) ?? plain;
    return plain;
  } catch (error) {
    return error instanceof RangeError ? 'too-large' : 'wrong';
  }
}

type Undo = (bytes: Uint8Array, maxOutputLength: number) => Promise<Uint8Array>;

const { BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH, ZSTD_e_flush } = constants;

const undoZlib =
  (decode: typeof gunzip.__promisify__): Undo =>
  (bytes, maxOutputLength) =>
    decode(bytes, { maxOutputLength, finishFlush: Z_SYNC_FLUSH });

const UNDO: ReadonlyMap<string, Undo> = new Map([
  ['gzip', undoZlib(promisify(gunzip))],
  ['x-gzip', undoZlib(promisify(gunzip))],
  // Some send it without the head that it should have.
  ['deflate', (bytes, most) => undoZlib(promisify(isZlib(bytes) ? inflate : inflateRaw))(bytes, most)],
  [
    'br',
    (bytes, maxOutputLength) =>
      promisify(brotliDecompress)(bytes, { maxOutputLength, finishFlush: BROTLI_OPERATION_FLUSH }),
  ],
  [
    'zstd',
    (bytes, maxOutputLength) =>
      promisify(zstdDecompress)(bytes, { maxOutputLength, finishFlush: ZSTD_e_flush }),
  ],
]);

const isZlib = ([first = 0]: Uint8Array): boolean => (first & 0x0f) === 8;
