import type { Ruling } from '../model/ruling.ts';
import type { RecordedRuling } from './entry.ts';

/** A ruling as a line of a journal holds it. */
export function recordRuling(ruling: Ruling | Error): RecordedRuling {
  if (!(ruling instanceof Error)) return ruling;
  return { kind: 'error', name: ruling.name, message: ruling.message };
}

/** The ruling that was recorded. */
export function rulingFrom(recorded: RecordedRuling): Ruling | Error {
  if (recorded.kind !== 'error') return recorded;
  return Object.assign(new Error(recorded.message), { name: recorded.name });
}
