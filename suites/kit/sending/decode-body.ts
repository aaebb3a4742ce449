import { brotliDecompressSync, inflateSync, unzipSync } from 'node:zlib';
import type { Answer } from '../model/exchange.ts';

const MOST_BYTES = 32 * 1024 * 1024;

const DECODERS: Readonly<Record<string, (body: Uint8Array, options: { maxOutputLength: number }) => Buffer>> =
  {
    gzip: unzipSync,
    'x-gzip': unzipSync,
    deflate: inflateSync,
    br: brotliDecompressSync,
  };

/** The body under its content coding; undefined where it has none, or one that cannot be undone. */
export function decodeBody({ headers, body }: Answer): Buffer | undefined {
  const decode = DECODERS[(headers['content-encoding'] ?? '').trim().toLowerCase()];
  try {
    return decode?.(body, { maxOutputLength: MOST_BYTES });
  } catch {
    return undefined;
  }
}
