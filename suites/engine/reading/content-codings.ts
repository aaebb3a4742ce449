import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';

/** No answer is longer. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Undoes codings as the `fetch` of Node does: the last first, and what is cut off as far as it goes. `wrong`: the bytes
 * are in another one; `too-large`: nobody reads so much.
 */
export async function withoutCodings(bytes: Uint8Array, codings: readonly string[], mostBytes = MOST_BYTES) {
  let plain = bytes;
  try {
    for (const coding of codings.toReversed()) plain = await undo(coding, plain, mostBytes);
    return plain;
  } catch (error) {
    return error instanceof RangeError ? 'too-large' : 'wrong';
  }
}

function undo(coding: string, bytes: Uint8Array, maxOutputLength: number): Promise<Uint8Array> {
  const { BROTLI_OPERATION_FLUSH, Z_SYNC_FLUSH, ZSTD_e_flush } = constants;
  if (coding === 'br')
    return promisify(brotliDecompress)(bytes, { maxOutputLength, finishFlush: BROTLI_OPERATION_FLUSH });
  if (coding === 'zstd')
    return promisify(zstdDecompress)(bytes, { maxOutputLength, finishFlush: ZSTD_e_flush });
  // Some send deflate without the head that it should have.
  const isRaw = ((bytes[0] ?? 0) & 0x0f) !== 8;
  const decode = coding === 'deflate' ? (isRaw ? inflateRaw : inflate) : gunzip;
  return promisify(decode)(bytes, { maxOutputLength, finishFlush: Z_SYNC_FLUSH });
}
