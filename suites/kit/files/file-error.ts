/** A file of the user's that cannot be used; the message is one line: the file, the place in it, what is expected. */
export class FileError extends Error {
  override readonly name = 'FileError';
}
