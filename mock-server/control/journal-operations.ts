import { z } from 'zod';
import { ENDPOINTS } from '../../fixtures/chats/chat.ts';
import { ENDS, type JournalRecord } from '../journal/journal.ts';
import { matchesFilter, REMEMBERED } from '../journal/memory-journal.ts';
import { showEntry, showExchange } from '../journal/shown-exchange.ts';
import { namesOf } from '../rules/words.ts';
import type { Sandbox } from '../sandboxes/sandboxes.ts';
import { ControlError } from './guard.ts';
import { operation, whole } from './operation.ts';

/** Less than the silence after which the built-in world cuts a connection. */
const LONGEST_WAIT_MS = 120_000;
const WAIT_MS = 30_000;

const query = z
  .strictObject({
    endpoint: z.enum(namesOf(ENDPOINTS)),
    key: z.string().describe('The name of a key'),
    requestId: z.string(),
    idempotencyKey: z.string(),
    status: whole(599),
    ended: z.enum(ENDS),
    until: whole(Number.MAX_SAFE_INTEGER).describe('Wait for this many matching requests'),
    timeout: whole(LONGEST_WAIT_MS).describe(`Milliseconds to wait at most; absent: ${WAIT_MS}`),
  })
  .partial();

/** The request of a journal that has this number or ID. */
function recordIn({ journal }: Sandbox, named: string): JournalRecord {
  const record = journal
    ?.records()
    .findLast(({ entry: { n, requestId } }) => String(n) === named || requestId === named);
  if (record !== undefined) return record;
  throw new ControlError(404, 'unknown_request', 'The journal has no request with this number or ID');
}

export const JOURNAL_OPERATIONS = [
  operation('GET', '/journal', {
    name: 'readJournal',
    summary:
      'Returns the last 10,000 requests, or the matching ones, oldest first; with `until`, waits for that many, and `met` says whether they came',
    query,
    async run({ sandbox, query: { until = 0, timeout = WAIT_MS, ...filter }, signal }) {
      const { journal, service } = sandbox;
      if (journal === undefined) throw new Error('A mock with a control API keeps a journal');
      const problem = 'With a filter, `until` is at most 10,000';
      if (until > REMEMBERED && Object.keys(filter).length > 0)
        throw new ControlError(400, 'invalid_value', problem, 'query/until');
      const met = await journal.until(until, filter, { ms: timeout, signal });
      const found = journal.records().filter(({ entry }) => matchesFilter(filter, entry));
      return { entries: found.map((record) => showEntry(record, service.keys)), came: journal.came, met };
    },
  }),
  operation('GET', '/journal/{request}', {
    name: 'readExchange',
    summary:
      'Returns a request of the journal by its number `n` or its ID, with headers and bodies, in which keys are masked',
    run: ({ sandbox, named }) => showExchange(recordIn(sandbox, named), sandbox.service.keys),
  }),
];
