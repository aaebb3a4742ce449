import { z } from 'zod';
import { closedObject, NOTHING } from '../../../mock-server/world/closed-object.ts';
import { type Operation, operation } from '../../../mock-server/control/operation.ts';
import { jsonReport } from '../../../suites/kit/reporting/json-report.ts';
import { judgeSandbox } from './judge-sandbox.ts';

const query = closedObject({
  timeoutMs: z
    .string()
    .regex(/^\d{1,9}$/, 'A whole number is needed here')
    .transform(Number)
    .pipe(z.int())
    .exactOptional()
    .describe('Milliseconds that the client was told to wait; 120000 if absent'),
});

/** What the control API of a mock with a judge does besides. */
export const JUDGE_OPERATION: Operation = operation({
  name: 'judgeCaller',
  method: 'GET',
  path: '/judge',
  about: 'world',
  summary: 'What the clauses that bind callers say of whoever called so far: a report, as of a run',
  query,
  body: NOTHING,
  status: 200,
  answer: z.record(z.string(), z.unknown()),
  run: ({ sandbox, query: told }): unknown => JSON.parse(jsonReport(judgeSandbox(sandbox, told))),
});
