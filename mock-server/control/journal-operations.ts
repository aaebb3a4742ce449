import { z } from 'zod';

import { PHASES } from '../faults/phases.ts';
import { ENDPOINTS } from '../../fixtures/chats/wire.ts';
import { closedObject, NOTHING } from '../world/closed-object.ts';
import { ControlError, operation } from './operation.ts';

/** Less than the silence after which the built-in world cuts a connection. */
const LONGEST_WAIT_MS = 120_000;
const WAIT_MS = 30_000;
const REMEMBERED = 1000;

/** A query has texts only. */
const whole = (most: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'A whole number is needed here')
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
  fault: z.string().exactOptional().describe('The name of a fault that struck'),
  ended: z.enum([...ENDS, 'running']).exactOptional(),
  after: whole(Number.MAX_SAFE_INTEGER).exactOptional().describe('Later than the request of this number'),
  until: whole(Number.MAX_SAFE_INTEGER)
    .exactOptional()
    .describe('Wait until so many requests like that have come'),
  timeout: whole(LONGEST_WAIT_MS)
    .exactOptional()
    .describe(`Milliseconds to wait at most; ${WAIT_MS} if absent`),
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
  ledger: z.array(z.record(z.string(), z.unknown())).describe('As the history of the workspace has them'),
  ended: z.enum(ENDS).nullable().describe('Null: running'),
});

const read = operation({
  name: 'readJournal',
  method: 'GET',
  path: '/journal',
  about: 'world',
  summary:
    'The last 1,000 requests, or those of them that are asked for; with `until` only once so many have come',
  query,
  body: NOTHING,
  status: 200,
  answer: closedObject({
    entries: z.array(entry).describe('Oldest first'),
    came: z.int().describe('Requests that ever came'),
    met: z.boolean().describe('False: the time was over before so many had come'),
  }),
  async run({ sandbox, query: { until = 0, timeout = WAIT_MS, ...filter }, signal }) {
    const { journal } = sandbox;
    if (journal === undefined) throw new ControlError(404, 'no_journal', 'This world keeps no journal');
    if (until > REMEMBERED && Object.keys(filter).length > 0)
      throw new ControlError(
        400,
        'invalid_value',
        'With a filter at most 1,000 can be waited for',
        'query/until',
      );
    const met = await journal.until(until, filter, { ms: timeout, signal });
    return { entries: journal.entries(filter), came: journal.came, met };
  },
});

export const JOURNAL_OPERATIONS = [read];
