import { z } from 'zod';
import type { Entry, RecordedRuling } from './entry.ts';
import { keyName, runSchema } from './run-schema.ts';

const strings = z.record(z.string(), z.string());
const armed = z.enum(['refusal', 'loss']).exactOptional();

const bytes = z.union([z.object({ text: z.string() }), z.object({ base64: z.base64() })]);

const request = z.object({
  method: z.string(),
  path: z.string(),
  headers: strings,
  credential: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('key'), name: keyName }),
    z.object({ kind: z.literal('none') }),
    z.object({
      kind: z.literal('forged'),
      label: z.string(),
      around: z.array(z.string()).exactOptional(),
      elsewhere: z.union([z.object({ header: z.string() }), z.object({ query: z.string() })]).exactOptional(),
    }),
  ]),
  body: bytes.exactOptional(),
});

const answer = z.object({
  status: z.int(),
  headers: strings,
  body: bytes,
  pieces: z.array(z.tuple([z.number(), z.int()])),
  headersAt: z.number(),
  endedAt: z.number(),
});

const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answered'), answer }),
  z.object({ kind: z.literal('not-sent'), reason: z.string() }),
  z.object({ kind: z.literal('uncertain'), reason: z.string(), answer: answer.exactOptional() }),
]);

const finding = z.looseObject({
  code: z.string(),
  path: z.string().exactOptional(),
  exchange: z.int().exactOptional(),
  expected: z.string(),
  actual: z.string(),
});

const ruling: z.ZodType<RecordedRuling> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('holds') }),
  z.object({ kind: z.literal('violated'), finding }),
  z.object({
    kind: z.literal('observed'),
    observations: z.array(z.object({ point: z.string(), value: z.unknown() })),
  }),
  z.object({ kind: z.literal('not-exercised'), reason: z.string(), hint: z.string().exactOptional() }),
  z.object({ kind: z.literal('inconclusive'), reason: z.string() }),
  z.object({ kind: z.literal('error'), name: z.string(), message: z.string() }),
]);

const model = z.looseObject({
  id: z.string(),
  contextTokens: z.number().exactOptional(),
  vision: z.boolean().exactOptional(),
  price: z.number().exactOptional(),
});

const survey = z.object({
  type: z.literal('survey'),
  survey: z.looseObject({
    keys: z.array(keyName),
    models: z.tuple([model], model),
    secondModels: z.array(model).exactOptional(),
    control: z.boolean(),
    outputTokens: z.number(),
    thrifty: z.boolean(),
  }),
});

const trial = z.object({
  type: z.literal('trial'),
  id: z.string(),
  stimulus: z.string(),
  among: z.int().exactOptional(),
  nth: z.int(),
  exchanges: z.array(z.string()),
  control: z.string().exactOptional(),
  data: z.record(z.string(), z.unknown()),
  missing: ruling.exactOptional(),
  rulings: z.record(z.string(), ruling),
  simplifies: z.object({ check: z.string(), trial: z.string() }).exactOptional(),
});

/**
 * A line of a journal, version 1. What a later release adds to a line is passed over; what judgements may look at is kept.
 */
export const entrySchema: z.ZodType<Entry> = z.discriminatedUnion('type', [
  runSchema,
  survey,
  z.object({
    type: z.literal('sent'),
    id: z.string(),
    at: z.iso.datetime(),
    request,
    chargeable: z.boolean(),
    armed,
  }),
  z.object({ type: z.literal('ended'), id: z.string(), outcome }),
  z.object({ type: z.literal('withheld'), id: z.string(), request, reason: z.string() }),
  z.object({ type: z.literal('shown'), idempotencyKey: z.string() }),
  trial,
  z.object({
    type: z.literal('invariant'),
    id: z.string(),
    held: z.int(),
    rulings: z.array(z.tuple([z.string(), ruling])),
  }),
  z.object({ type: z.literal('finished'), durationMs: z.number(), cutShort: z.array(z.string()) }),
]);
