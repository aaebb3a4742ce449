import { secretForms } from './secret-forms.ts';
import { lowered, type OnMatch, Windows } from './windows.ts';

/** Finds every form of some secrets in the first `length` bytes. */
export type SecretFinder = (bytes: Uint8Array, length: number, onMatch: OnMatch) => void;

/** Shorter ones occur in texts without a secret. */
const SHORTEST_MATCH = 8;

/** This long is never a coincidence, however small a part of a long secret it is. */
const CERTAIN_MATCH = 12;

/** Shorter forms occur in texts without a secret. */
export const SHORTEST_FORM = 6;

/**
 * Finds secrets in any case, or at least a third of one in one piece, or twelve characters: an answer may repeat half a
 * key, or truncate it. A piece that `known` texts hold anyway, such as the base URL, gives nothing away.
 */
export function secretFinder(secrets: readonly string[], known: readonly string[] = []): SecretFinder {
  const forms = secrets.flatMap((secret, name) =>
    secretForms(secret)
      .filter(({ length }) => length >= SHORTEST_FORM)
      .map((bytes) => ({ name, bytes, lower: lowered(bytes), least: leastOf(bytes.length) })),
  );
  if (forms.length === 0) return () => {};
  const windows = new Windows(forms, known.map((text) => text.toLowerCase()).join('\n'));
  return (bytes, length, onMatch) => windows.find(bytes, length, onMatch);
}

function leastOf(length: number): number {
  return Math.min(length, Math.max(SHORTEST_MATCH, Math.min(CERTAIN_MATCH, Math.floor(length / 3))));
}
