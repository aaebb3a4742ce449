/** The journal cannot be written, and nothing was learnt that a report could hold: nothing more was sent. */
export class JournalWriteError extends Error {
  override readonly name = 'JournalWriteError';
}
