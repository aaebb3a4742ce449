import type { ServerResponse } from 'node:http';

import type { Activity, Connections } from './connections.ts';
import type { Passage } from '../faults/passage.ts';
import type { Received } from './received.ts';
import type { Ended, JournalRecord } from '../sandboxes/journal.ts';

/** A request on its connection, and who is told of it. */
export interface Wire {
  readonly connections: Connections;
  readonly activity: Activity;
  readonly response: ServerResponse;
  readonly request: Received;
  readonly requestId: string;
  readonly passage: Passage | null;
  readonly record: JournalRecord | undefined;
  /** To be called where an answer ends otherwise than whole; the first call counts. */
  readonly ended: (how: Ended) => void;
}
