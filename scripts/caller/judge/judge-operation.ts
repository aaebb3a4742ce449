import { z } from 'zod';
import { type Operation, operation } from '../../../mock-server/control/operation.ts';
import { closedObject, emptyObject } from '../../../mock-server/world/closed-object.ts';
import { jsonReport } from '../../../suites/kit/reporting/json-report.ts';
import { judgeSandbox } from './judge-sandbox.ts';

const query = closedObject({
  timeoutMs: z
    .string()
    .regex(/^\d{1,9}$/, 'It must be a whole number')
    .transform(Number)
    .pipe(z.int())
    .exactOptional()
    .describe('Milliseconds that the client was told to wait; 120000 if absent'),
});

/** The operation that `mock --judge` adds to the control API. */
export const JUDGE_OPERATION: Operation = operation({
  name: 'judgeCaller',
  method: 'GET',
  path: '/judge',
  about: 'world',
  summary:
    'Judges everything that called so far by the clauses that bind callers: a report, like that of a run',
  query,
  body: emptyObject,
  status: 200,
  answer: z.record(z.string(), z.unknown()),
  run: ({ sandbox, query: options }): unknown => JSON.parse(jsonReport(judgeSandbox(sandbox, options))),
});
