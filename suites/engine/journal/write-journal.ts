import { isUtf8 } from 'node:buffer';
import { fdatasyncSync, fstatSync, writeSync } from 'node:fs';
import type { Entry, Journal } from '../model/entry-schema.ts';
import type { ForgedCredential } from '../model/exchange.ts';
import { errorCode } from '../text/read-json-file.ts';
import { textAroundKey } from '../text/secrets.ts';

/** The journal cannot be written, and nothing was found that a report could show. No further request was sent. */
export class JournalWriteError extends Error {
  override readonly name = 'JournalWriteError';
}

/**
 * Writes a journal to a file that is open for appending, which the caller closes. `isDurable`: a line is flushed to disk
 * before its chargeable request leaves, so that it survives a power cut.
 */
export function journalOn(fd: number, { file, isDurable }: { file: string; isDurable: boolean }): Journal {
  let failure: string | undefined;
  const append = (entry: Entry): void => {
    if (failure !== undefined) return;
    try {
      writeWhole(fd, Buffer.from(`${JSON.stringify(recorded(entry))}\n`));
      if (isDurable && entry.type === 'sent' && entry.chargeable) fdatasyncSync(fd);
      // A removed file has no path by which it could be read.
      if (entry.type === 'sent' && fstatSync(fd).nlink === 0) failure = `the journal ${file} was removed`;
    } catch (error) {
      failure = `the journal ${file} cannot be written (${errorCode(error)})`;
    }
  };
  return { append, failure: () => failure };
}

/** A disk that is nearly full writes a part, and refuses the rest. */
function writeWhole(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
}

/** The form of a value in a journal, which `entry-schema.ts` reads. A function, as in a forged credential, is dropped by JSON. */
export function recorded(value: unknown): unknown {
  if (value instanceof Uint8Array) return recordedBytes(value);
  if (value instanceof Set) return [...value];
  if (value instanceof Error) return { kind: 'error', name: value.name, message: value.message };
  if (Array.isArray(value)) return value.map(recorded);
  if (!isPlain(value)) return value;
  if ('at' in value && 'upTo' in value) return [value.at, value.upTo];
  const plain = isForged(value) ? { ...value, around: textAroundKey(value) } : value;
  return Object.fromEntries(Object.entries(plain).map(([name, inner]) => [name, recorded(inner)]));
}

/** Readable where the bytes are text, and always exact. */
function recordedBytes(bytes: Uint8Array): { text: string } | { base64: string } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(buffer) ? { text: buffer.toString('utf8') } : { base64: buffer.toString('base64') };
}

/** Others, such as dates, say what they are in JSON. */
function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function isForged(value: object): value is ForgedCredential {
  return (
    'kind' in value && value.kind === 'forged' && 'header' in value && typeof value.header === 'function'
  );
}
