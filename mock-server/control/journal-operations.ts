import { z } from 'zod';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { PHASES } from '../faults/phases.ts';
import { closedObject, emptyObject } from '../world/closed-object.ts';
import { ControlError, operation } from './operation.ts';

/** Less than the silence after which the built-in world cuts a connection. */
const LONGEST_WAIT_MS = 120_000;
const WAIT_MS = 30_000;
const REMEMBERED = 1000;

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

const entry = closedObject({
  n: z.int(),
  at: z.int().describe('Milliseconds since 1970, by the clock of the world'),
  requestId: z.string(),
  idempotencyKey: z.string().nullable(),
  endpoint: endpoint.nullable(),
  key: z.string().nullable().describe('The name of the key'),
  method: z.string(),
  path: z.string(),
  phases: z.array(z.enum(PHASES)),
  fault: closedObject({ rule: z.string(), fault: z.string(), phase: z.enum(PHASES) }).nullable(),
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
  summary: 'Returns the last 1,000 requests, or the matching ones; with `until`, waits for that many',
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
      throw new ControlError(400, 'invalid_value', 'With a filter, `until` is at most 1,000', 'query/until');
    const met = await journal.until(until, filter, { ms: timeout, signal });
    return { entries: journal.entries(filter), came: journal.came, met };
  },
});

export const JOURNAL_OPERATIONS = [read];
