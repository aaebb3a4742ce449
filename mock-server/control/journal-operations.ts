import { z } from 'zod';
import { endpoint, ENDS, journalEntry, shownExchange } from '../journal/journal-schema.ts';
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

const query = closedObject({
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
    entries: z.array(journalEntry).describe('Oldest first'),
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
  answer: shownExchange,
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
