import { isUtf8 } from 'node:buffer';
import type { RecordedBytes } from './entry.ts';

/** Bytes as a line of a journal holds them: readable where they are text, and always exact. */
export function recordBytes(bytes: Uint8Array): RecordedBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? { text: buffer.toString('utf8') } : { base64: buffer.toString('base64') };
}

/** The very bytes that were recorded. */
export function bytesOf(recorded: RecordedBytes): Uint8Array {
  return 'text' in recorded ? Buffer.from(recorded.text) : Buffer.from(recorded.base64, 'base64');
}
