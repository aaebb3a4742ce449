import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { z } from 'zod';
import { harOf, type HarExchange } from '../journal/har.ts';
import { endpoint, ENDS, journalEntry, shownExchange } from '../journal/journal-schema.ts';
import { REMEMBERED } from '../journal/memory-journal.ts';
import { showExchange, type ShownExchange } from '../journal/shown-exchange.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { sandboxPrefix } from '../sandboxes/sandboxes.ts';
import { ControlError } from './guard.ts';
import { operation } from './operation.ts';

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

/** The requests of some worlds as HAR, in the order of their arrival. */
function harExchanges(sandboxes: readonly Sandbox[], origin: string): readonly HarExchange[] {
  return sandboxes
    .flatMap((sandbox) => (sandbox.journal?.records() ?? []).map((record) => ({ sandbox, record })))
    .toSorted((one, other) => one.record.entry.id - other.record.entry.id)
    .flatMap(({ sandbox: { id, service }, record }) => {
      // Handshakes and bytes that are no request have no place in a HAR.
      if (!record.entry.path.startsWith('/')) return [];
      const base = id === null ? origin : `${origin}${sandboxPrefix(id)}`;
      return [toHar(showExchange(record, service.keys), base)];
    });
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
      entries: z.array(journalEntry).describe('Oldest first'),
      came: z.int().describe('Requests received so far'),
      met: z.boolean().describe('False: the time was up before that many arrived'),
    }),
    async run({ sandbox, query: { until = 0, timeout = WAIT_MS, ...filter }, signal }) {
      const { journal } = sandbox;
      if (journal === undefined) throw new ControlError(404, 'no_journal', 'This world keeps no journal');
      const problem = 'With a filter, `until` is at most 10,000';
      if (until > REMEMBERED && Object.keys(filter).length > 0)
        throw new ControlError(400, 'invalid_value', problem, 'query/until');
      const met = await journal.until(until, filter, { ms: timeout, signal });
      return { entries: journal.entries(filter), came: journal.came, met };
    },
  }),
  operation('GET', '/journal/{request}', {
    name: 'readExchange',
    summary:
      'Returns a request of the journal by its number `n` or its ID, with headers and bodies, in which keys are masked',
    answer: shownExchange,
    run({ sandbox, named }) {
      const record = sandbox.journal
        ?.records()
        .findLast((each) => String(each.entry.n) === named || each.entry.requestId === named);
      if (record === undefined)
        throw new ControlError(404, 'unknown_request', 'The journal has no request with this number or ID');
      return showExchange(record, sandbox.service.keys);
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
