/** What the user asked for cannot be done as asked: one line for them, and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
