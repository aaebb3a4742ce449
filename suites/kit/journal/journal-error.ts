/** A journal that cannot be read; the message is one line: the file, the line in it, and what is wrong. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}
