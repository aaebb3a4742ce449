import { z } from 'zod';
import { clauseIds } from '../../../fixtures/clauses/clauses.ts';

/** Which of the keys of a run. */
export const keyName = z.enum(['primary', 'second', 'unscoped']);

const clause = z.enum(clauseIds());

const judged = z.object({
  id: z.string(),
  clauses: z.tuple([clause], clause),
  title: z.string(),
  level: z.enum(['stated', 'implied', 'convention', 'open']).exactOptional(),
});

const cap = z.number().nullable();
const caps = z.object({ requests: cap, completions: cap, outputTokens: cap });

const shard = z.object({
  index: z.int(),
  count: z.int(),
  release: z.string(),
  caps,
  checks: z.array(judged),
});

/** The first line of a journal. */
export const runSchema = z.object({
  type: z.literal('run'),
  format: z.literal('chat-conformance/journal'),
  version: z.literal(1),
  startedAt: z.iso.datetime(),
  seed: z.int(),
  runs: z.union([z.int(), z.enum(['few', 'fewest'])]),
  concurrency: z.int(),
  timeoutMs: z.int(),
  caps,
  withholds: z.literal('completions').exactOptional(),
  allow: z.array(z.enum(['disruptive', 'costly'])),
  target: z.object({
    baseUrl: z.url(),
    kind: z.enum(['mock', 'live']),
    controlUrl: z.url().exactOptional(),
    profile: z.looseObject({
      name: z.string().exactOptional(),
      model: z.string().exactOptional(),
      models: z
        .record(
          z.string(),
          z.object({ contextTokens: z.number().exactOptional(), vision: z.boolean().exactOptional() }),
        )
        .exactOptional(),
      pins: z.record(z.string(), z.unknown()).exactOptional(),
    }),
    headers: z.array(z.string()),
  }),
  keys: z.array(keyName),
  checks: z.array(judged),
  invariants: z.array(judged),
  shard: shard.exactOptional(),
  merged: z.int().exactOptional(),
});
