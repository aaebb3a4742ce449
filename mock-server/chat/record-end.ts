import type { ServerResponse } from 'node:http';

import type { Activity } from '../http/connections.ts';
import type { Ended, JournalRecord } from '../sandboxes/journal.ts';

/** Has a journal told how an answer ends, and how many bytes of it were written: what it returns tells it sooner. */
export function recordEnd(
  record: JournalRecord,
  activity: Activity,
  response: ServerResponse,
): (how: Ended) => void {
  const { socket } = activity.message;
  let before = socket.bytesWritten;
  // Answers to earlier requests on the connection are still being written.
  if (response.socket === null) response.once('socket', () => (before = socket.bytesWritten));
  const ended = (how: Ended): void => record.ended(how, socket.bytesWritten - before);
  // Ahead of Node's own listener, which begins to write the next answer.
  response.prependListener('finish', () => ended('answered'));
  activity.gone = () => ended('client-gone');
  return ended;
}
