import { z } from 'zod';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { PHASES } from '../faults/phases.ts';
import { REMEMBERED } from '../journal/memory-journal.ts';
import { showExchange } from '../journal/shown-exchange.ts';
import { closedObject, emptyObject } from '../world/closed-object.ts';
import { ControlError, operation } from './operation.ts';

/** Less than the silence after which the built-in world cuts a connection. */
const LONGEST_WAIT_MS = 120_000;
const WAIT_MS = 30_000;

/** A query has strings only. */
const whole = (most: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'Expected a whole number')
    .transform(Number)
    .pipe(z.int().max(most));

const ENDS = ['answered', 'cut', 'silent', 'client-gone'] as const;
const endpoint = z.literal(Object.keys(ENDPOINTS));

const query = closedObject({
  endpoint: z.enum(['models', 'chat', 'vision']).exactOptional(),
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

const triggered = closedObject({ rule: z.string(), fault: z.string(), phase: z.enum(PHASES) });

const entry = closedObject({
  id: z.int().describe('The order of arrival over all sandboxes'),
  sandbox: z.string().nullable().describe("Null: the mock's own world"),
  n: z.int().describe('The order of arrival in this world'),
  at: z.int().describe('Milliseconds since 1970, by the clock of the world'),
  realAt: z.int().describe('Milliseconds since 1970, by the clock of the machine'),
  ms: z.number().nullable().describe('Milliseconds until the end, of real time; null: running'),
  requestId: z.string(),
  idempotencyKey: z.string().nullable(),
  endpoint: endpoint.nullable(),
  key: z.string().nullable().describe('The name of the key'),
  method: z.string(),
  path: z.string(),
  model: z.string().nullable().describe('Of a valid chat'),
  stream: z.boolean(),
  phases: z.array(z.enum(PHASES)),
  fault: triggered.nullable().describe('The last one of faults'),
  faults: z.array(triggered).describe('Every fault that triggered, in order'),
  status: z.int().nullable(),
  bytesWritten: z.int(),
  ledger: z.array(z.record(z.string(), z.unknown())).describe('As in the history of the workspace'),
  ended: z.enum(ENDS).nullable().describe('Null: running'),
});

const read = operation({
  name: 'readJournal',
  method: 'GET',
  path: '/journal',
  about: 'world',
  summary: 'Returns the last 10,000 requests, or the matching ones; with `until`, waits for that many',
  query,
  body: emptyObject,
  status: 200,
  answer: closedObject({
    entries: z.array(entry).describe('Oldest first'),
    came: z.int().describe('Requests received so far'),
    met: z.boolean().describe('False: the time was up before that many arrived'),
  }),
  async run({ sandbox, query: { until = 0, timeout = WAIT_MS, ...filter }, signal }) {
    const { journal } = sandbox;
    if (journal === undefined) throw new ControlError(404, 'no_journal', 'This world keeps no journal');
    if (until > REMEMBERED && Object.keys(filter).length > 0)
      throw new ControlError(400, 'invalid_value', 'With a filter, `until` is at most 10,000', 'query/until');
    const met = await journal.until(until, filter, { ms: timeout, signal });
    return { entries: journal.entries(filter), came: journal.came, met };
  },
});

const header = z.tuple([z.string().describe('Name'), z.string().describe('Value')]);
const body = z
  .union([
    closedObject({ text: z.string(), bytes: z.int() }),
    closedObject({ base64: z.string(), bytes: z.int() }),
  ])
  .nullable()
  .describe('Text if it is UTF-8; null: it was too large to read');
const ms = z.number().describe('Milliseconds since the arrival, of real time');

const exchange = closedObject({
  entry,
  phases: z.array(closedObject({ phase: z.enum(PHASES), ms })),
  request: closedObject({ url: z.string(), headers: z.array(header), body })
    .nullable()
    .describe('Null: it is not kept any more, because later ones took its room'),
  response: closedObject({ status: z.int(), headers: z.array(header), body, ms })
    .nullable()
    .describe('The answer as it was made, even if only a part of it left'),
  departures: z
    .array(closedObject({ ms, bytes: z.int() }))
    .describe('When how many bytes of the answer had left the socket, head included'),
});

const readOne = operation({
  name: 'readExchange',
  method: 'GET',
  path: '/journal/{request}',
  about: 'world',
  summary:
    'Returns a request of the journal by its number `n` or its ID, with headers and bodies, in which keys are masked',
  query: emptyObject,
  body: emptyObject,
  status: 200,
  answer: exchange,
  run({ sandbox, named }) {
    const writer = sandbox.journal
      ?.writers()
      .findLast((each) => String(each.entry.n) === named || each.entry.requestId === named);
    if (writer === undefined)
      throw new ControlError(404, 'unknown_request', 'The journal has no request with this number or ID');
    return showExchange(writer, sandbox.service.world.keys);
  },
});

export const JOURNAL_OPERATIONS = [read, readOne];
