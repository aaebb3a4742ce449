import { request } from 'node:http';
import { z } from 'zod';
import { ENDPOINTS, HEADERS } from '../../fixtures/chats/chat.ts';
import { namedValues } from '../../fixtures/credentials/carried-secrets.ts';
import { type Arrival, ENDS, type JournalRecord } from '../journal/journal.ts';
import { matchesFilter, REMEMBERED } from '../journal/memory-journal.ts';
import { showEntry, showExchange } from '../journal/shown-exchange.ts';
import { namesOf } from '../rules/words.ts';
import { type Sandbox, sandboxPrefix } from '../sandboxes/sandboxes.ts';
import { ControlError } from './guard.ts';
import { operation, type OperationCall, whole } from './operation.ts';

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

function recordIn({ journal }: Sandbox, named: string): JournalRecord {
  const number = Number(named);
  const record = journal?.records().findLast(({ entry }) => entry.n === number || entry.requestId === named);
  if (record !== undefined) return record;
  throw new ControlError(404, 'unknown_request', 'The journal has no request with this number or ID');
}

/** Headers of the connection on which a request came, and of how its body was framed. */
const OF_CONNECTION = /^(?:connection|keep-alive|transfer-encoding|content-length|expect|upgrade)$/i;

/** Sends a request to the place where this mock listens. Whatever becomes of it, its journal entry says. */
function send(
  { method, url, rawHeaders, body }: Arrival,
  { sandbox: { id }, message: { socket } }: Pick<OperationCall, 'sandbox' | 'message'>,
  idempotencyKey: string | undefined,
): void {
  const isKept = ([name]: readonly [string, string]): boolean =>
    !OF_CONNECTION.test(name) &&
    (idempotencyKey === undefined || name.toLowerCase() !== HEADERS.idempotencyKey);
  const headers = namedValues(rawHeaders).filter(isKept).flat();
  if (body?.length) headers.push('content-length', String(body.length));
  if (idempotencyKey !== undefined) headers.push(HEADERS.idempotencyKey, idempotencyKey);
  const path = `${sandboxPrefix(id)}${url}`;
  const at = { host: socket.localAddress, port: socket.localPort };
  const signal = AbortSignal.timeout(LONGEST_WAIT_MS);
  request({ ...at, method, path, headers, agent: false, signal }, (response) => response.resume())
    .on('error', () => {})
    .end(body);
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
  operation('POST', '/journal/{request}/send', {
    name: 'sendAgain',
    summary:
      'Sends a request of the journal to this mock again, as it came; does not wait for its answer, which the journal shows',
    body: z.strictObject({
      idempotencyKey: z.string().exactOptional().describe('A new Idempotency-Key; absent: the original one'),
    }),
    run({ sandbox, message, named, body: { idempotencyKey } }) {
      const { arrival } = recordIn(sandbox, named);
      if (!arrival?.body || arrival.isRequest === false)
        throw new ControlError(409, 'not_kept', 'The journal does not hold the whole request');
      send(arrival, { sandbox, message }, idempotencyKey);
    },
  }),
];
