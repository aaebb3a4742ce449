/** A journal that cannot be read; the message is one line: the file, the line in it, and what is wrong. */
export class JournalReadError extends Error {
  override readonly name = 'JournalReadError';
}
