/** What was recorded cannot be sent again as it was; the message is one line that says why. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}
