import type { IncomingMessage } from 'node:http';

import { headerOf } from './header-of.ts';

const EMPTY = Buffer.alloc(0);

/**
 * Collects a body of at most `limit` bytes, or gives null as soon as it is known to be larger: by its declared
 * length, or while it arrives. Calls back once, and never for a request that breaks off.
 */
export function readBody(message: IncomingMessage, limit: number, done: (body: Buffer | null) => void): void {
  const declared = headerOf(message, 'content-length');
  const coding = headerOf(message, 'transfer-encoding');
  if (Number(declared) > limit) done(null);
  else if (coding === undefined && (declared === undefined || declared === '0')) done(EMPTY);
  else collect(message, limit, done);
}

/** By events: `for await` costs a quarter of the throughput. */
function collect(message: IncomingMessage, limit: number, done: (body: Buffer | null) => void): void {
  let chunks: Buffer[] | null = [];
  let size = 0;
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) chunks?.push(chunk);
    else if (chunks !== null) {
      chunks = null;
      done(null);
    }
  });
  message.on('end', () => {
    if (chunks !== null) done(chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks));
  });
}
