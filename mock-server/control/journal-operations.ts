import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { findPackageJSON } from 'node:module';
import { z } from 'zod';
import { HEADERS } from '../../fixtures/chats/chat.ts';
import { namedValues } from '../../fixtures/credentials/carried-secrets.ts';
import { harOf, type HarExchange } from '../journal/har.ts';
import { endpoint, ENDS, shownEntry, shownExchange } from '../journal/journal-schema.ts';
import type { Arrival, JournalRecord } from '../journal/journal.ts';
import { matchesFilter, REMEMBERED } from '../journal/memory-journal.ts';
import { showEntry, showExchange, type ShownExchange } from '../journal/shown-exchange.ts';
import { type Sandbox, sandboxPrefix } from '../sandboxes/sandboxes.ts';
import { ControlError } from './guard.ts';
import { operation, type OperationCall } from './operation.ts';

/** Less than the silence after which the built-in world cuts a connection. */
const LONGEST_WAIT_MS = 120_000;
const WAIT_MS = 30_000;

/** A whole number in a query, which has strings only. */
export const whole = (most: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'Expected a whole number')
    .transform(Number)
    .pipe(z.int().max(most));

const query = z.strictObject({
  endpoint: endpoint.exactOptional(),
  key: z.string().exactOptional().describe('The name of a key'),
  requestId: z.string().exactOptional(),
  idempotencyKey: z.string().exactOptional(),
  status: whole(599).exactOptional(),
  fault: z.string().exactOptional().describe('The name of the fault that triggered'),
  ended: z.enum([...ENDS, 'running']).exactOptional(),
  after: whole(Number.MAX_SAFE_INTEGER)
    .exactOptional()
    .describe('Only requests after the one with this number'),
  until: whole(Number.MAX_SAFE_INTEGER).exactOptional().describe('Wait for this many matching requests'),
  timeout: whole(LONGEST_WAIT_MS)
    .exactOptional()
    .describe(`Milliseconds to wait at most; absent: ${WAIT_MS}`),
});

/** The requests of some worlds, in the order of their arrival. Bytes that are no request have no place in a HAR. */
function harExchanges(sandboxes: readonly Sandbox[], origin: string): readonly HarExchange[] {
  return sandboxes
    .flatMap(({ id, journal, service: { keys } }) =>
      (journal?.records() ?? []).map((record) => ({ record, keys, base: `${origin}${sandboxPrefix(id)}` })),
    )
    .filter(({ record }) => record.entry.path.startsWith('/'))
    .toSorted((one, other) => one.record.entry.id - other.record.entry.id)
    .map(({ record, keys, base }) => toHar(showExchange(record, keys), base));
}

function toHar({ entry, phases, request, response, departures }: ShownExchange, base: string): HarExchange {
  const { method, path, realAt, ended, faults, ledger, key, at, bytesWritten } = entry;
  const triggered = faults.map(({ fault, phase }) => `${fault} at ${phase}`);
  return {
    startedAt: realAt,
    method,
    url: `${base}${request?.url ?? path}`,
    headers: request?.headers ?? [],
    body: request?.body ?? null,
    answer: response && { ...response, body: response.body ?? { text: '' } },
    ms: entry.ms ?? 0,
    comment: [ended ?? 'running', ...triggered].join('; '),
    known: { key, at, ended, phases, faults, ledger, bytesWritten, departures },
  };
}

/** The request of a journal that has this number or ID. */
function recordIn({ journal }: Sandbox, named: string): JournalRecord {
  const record = journal
    ?.records()
    .findLast(({ entry: { n, requestId } }) => String(n) === named || requestId === named);
  if (record !== undefined) return record;
  throw new ControlError(404, 'unknown_request', 'The journal has no request with this number or ID');
}

/** Headers of the connection on which a request came, and of how its body was framed. */
const OF_CONNECTION = /^(?:connection|keep-alive|transfer-encoding|content-length|expect|upgrade)$/i;

/** Sends a request to the place where this mock listens. Whatever becomes of it, its journal entry says. */
function send(
  { method, url, rawHeaders, body }: Arrival,
  { sandbox: { id }, socket, idempotencyKey }: Pick<OperationCall, 'sandbox' | 'socket'> & Partial<Arrival>,
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
  httpRequest({ ...at, method, path, headers, agent: false, signal }, (response) => response.resume())
    .on('error', () => {})
    .end(body);
}

/** The version of this package, whether this file is source or compiled. */
function release(): string {
  const file = findPackageJSON('..', import.meta.url);
  const { version = '' }: { version?: string } =
    file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'));
  return version;
}

export const JOURNAL_OPERATIONS = [
  operation('GET', '/journal', {
    name: 'readJournal',
    summary: 'Returns the last 10,000 requests, or the matching ones; with `until`, waits for that many',
    query,
    answer: z.strictObject({
      entries: z.array(shownEntry).describe('Oldest first'),
      came: z.int().describe('Requests received so far'),
      met: z.boolean().describe('False: the time was up before that many arrived'),
    }),
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
    answer: shownExchange,
    run: ({ sandbox, named }) => showExchange(recordIn(sandbox, named), sandbox.service.keys),
  }),
  operation('POST', '/journal/{request}/send', {
    name: 'sendAgain',
    summary:
      'Sends a request of the journal to this mock again, as it came; does not wait for its answer, which the journal shows',
    body: z.strictObject({
      idempotencyKey: z.string().exactOptional().describe('A new one; absent: the one that it came with'),
    }),
    run({ sandbox, socket, named, body: { idempotencyKey } }) {
      const { arrival } = recordIn(sandbox, named);
      if (!arrival?.body || arrival.isRequest === false)
        throw new ControlError(409, 'not_kept', 'The journal does not hold the whole request');
      send(arrival, { sandbox, socket, idempotencyKey });
    },
  }),
  operation('GET', '/har', {
    name: 'exportHar',
    summary: 'Returns the journal as HAR 1.2, for the developer tools of a browser; keys are masked',
    query: z.strictObject({
      worlds: z
        .literal('all')
        .exactOptional()
        .describe('Those of every sandbox too, in the order of their arrival'),
    }),
    answer: z.strictObject({ log: z.record(z.string(), z.unknown()) }),
    run({ sandbox, sandboxes, origin, query: { worlds } }) {
      const asked = worlds === 'all' ? sandboxes.all() : [sandbox];
      return harOf(harExchanges(asked, origin), release());
    },
  }),
];
