import { z } from 'zod';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile } from '../files/read-json-file.ts';

const verdict = z
  .enum(['pass', 'fail', 'warn', 'observed', 'not-exercised', 'inconclusive', 'error'])
  .describe('`error` is a failure of the suites, never of the target.');
const level = z.enum(['stated', 'implied', 'convention', 'open']);
const outcome = z.enum(['conformant', 'violations', 'incomplete']);
const clauseId = z.string().regex(/^[A-Z]+-[1-9]\d*$/);
const checkId = z.string().regex(/^[a-z\d]+(?:-[a-z\d]+)*$/);
const count = z.int().nonnegative();
const headers = z.record(z.string(), z.string());

const exchange = z
  .object({
    id: z.string(),
    request: z.object({
      method: z.string(),
      path: z.string().describe('Below the base URL.'),
      credential: z.string().describe('Which key it carried; never the key.'),
      headers,
      body: z.string().exactOptional(),
    }),
    outcome: z.string().describe('`answered`, or why there is no answer.'),
    answer: z.object({ status: z.int(), headers, body: z.string() }).exactOptional(),
  })
  .describe('Keys are taken out, and long bodies cut.');

const finding = z.object({
  code: z.string().describe('With `path`, tells one failure of a check from another.'),
  path: z.string().exactOptional().describe('JSON pointer, name of a header, or name of an open point.'),
  exchange: count.exactOptional(),
  expected: z.string(),
  actual: z.string(),
});

const evidence = z.object({
  finding,
  exchange: exchange.describe('The simplest request that still fails in the same way.'),
  control: z.object({ exchange, difference: z.string() }).exactOptional().describe('Its accepted twin.'),
  curl: z
    .string()
    .describe('Sends the request again, with the key from the environment; empty for a caller.'),
  timeline: z.array(z.string()).exactOptional().describe('Of a caller: all that it sent, a line each.'),
});

const failureKind = z.object({ code: z.string(), path: z.string().exactOptional(), trials: count });

const check = z.object({
  id: checkId,
  clauses: z.array(clauseId),
  level,
  title: z.string(),
  verdict,
  reason: z.string().describe('Empty only for `pass`.'),
  hint: z.string().exactOptional(),
  exchanges: count.describe('How many were judged.'),
  inputs: z
    .object({ tried: count, of: count })
    .exactOptional()
    .describe('Of its inputs, how many were tried; absent where all were. Another seed tries others.'),
  failures: z.array(failureKind).describe('Every way in which it failed.'),
  evidence: z.array(evidence).describe('Of the first few of them.'),
  known: z.array(z.string()).exactOptional().describe('The reasons of the baseline, when it lists them all.'),
});

const clause = z.object({
  id: clauseId,
  bound: z.enum(['service', 'caller']),
  level,
  verdict,
  checks: z.array(checkId),
  reason: z.string(),
});

const openPoint = z.object({
  clause: clauseId,
  point: z.string(),
  observed: z.json(),
  varied: z.literal(true).exactOptional().describe('`observed` is then the list of all values.'),
  pinned: z.json().exactOptional(),
});

const uncertain = z.object({
  id: z.string(),
  idempotencyKey: z.string().exactOptional().describe('Finds the request in the workspace.'),
  reason: z.string(),
  exchange,
});

const cap = count.nullable().describe('Null: none.');
const spent = z.object({ requests: count, completions: count, outputTokens: count, uncertain: count });

/** A report as a file holds it. What a later release adds is let through, and left out. */
export const reportSchema = z
  .object({
    format: z.literal('chat-conformance/report'),
    version: z.literal(1),
    outcome,
    target: z.object({
      baseUrl: z.string(),
      kind: z.enum(['mock', 'live', 'caller']).describe('Of a caller, `baseUrl` is its name.'),
      profile: z.string().nullable(),
    }),
    seed: z.int(),
    caps: z.object({ requests: cap, completions: cap, outputTokens: cap }),
    startedAt: z.string().describe('ISO 8601, UTC.'),
    durationMs: z.number().nonnegative(),
    spent,
    checks: z.array(check),
    clauses: z.array(clause),
    open: z.array(openPoint).describe('What was seen where the specification is silent.'),
    uncertain: z.array(uncertain).describe('To be checked in the workspace before anything is sent again.'),
    cutShort: z.array(z.string()).describe('Why the run says less than it might.'),
    warnings: z.array(z.string()).describe('Why its verdicts say less than one might believe.'),
    baseline: z
      .object({ outcome: outcome.describe('Beside the known failures.'), problems: z.array(z.string()) })
      .exactOptional(),
  })
  .describe('What a run found out.');

/** A report that was read. */
export type ReadReport = z.infer<typeof reportSchema>;

/** The JSON Schema of `report.json`. */
export function reportJsonSchema(): object {
  return { ...z.toJSONSchema(reportSchema, { io: 'input' }), title: 'chat-conformance report' };
}

/**
 * Reads and checks a `report.json`, named by itself or by the folder it is in.
 * @throws {FileError} At the first thing that is wrong with it.
 */
export function readReport(path: string): ReadReport {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return readJsonFile(isFolder ? join(path, 'report.json') : path, 'report', reportSchema);
}
