import { z } from 'zod';

import { closedObject } from './closed-object.ts';

import { choicesSchema } from './choices-schema.ts';

const count = z.int().min(1);
const milliseconds = z.int().min(1).max(2_147_483_647);
const credits = z.int().min(0);
const name = z.string().min(1);

const clockSchema = z.discriminatedUnion('kind', [
  closedObject({ kind: z.literal('fixed'), at: z.iso.datetime({ offset: true }) }),
  closedObject({ kind: z.literal('real') }),
]);

const modelSchema = closedObject({
  id: name,
  contextTokens: count.describe('Tokens of input and requested output together'),
  price: closedObject({ input: credits, output: credits }).describe('Credits per token'),
  vision: z.boolean().exactOptional().describe('Whether image parts are accepted; absent: no'),
  available: z.boolean().exactOptional().describe('Absent: yes'),
  latencyMs: z.number().min(0).exactOptional(),
  latencyPerTokenMs: z.number().min(0).exactOptional(),
});

const workspaceSchema = closedObject({ id: name, credits: credits.describe('Granted at the start') });

const keySchema = closedObject({
  name,
  key: z
    .string()

    .regex(/^[A-Za-z0-9\-._~+/]+=*$/, 'A bearer token (RFC 6750) is needed here'),
  workspace: name,
  scopes: z.array(z.string()).describe('inference is what every endpoint needs'),
  models: z.array(z.string()).exactOptional().describe('IDs of the models it may use; absent: all'),
  concurrency: z.int().min(0).exactOptional().describe('Completions at once; absent: limits.concurrency'),
});

const limitsSchema = closedObject({
  concurrency: z.int().min(0),
  retryAfterSeconds: z.int().min(0),
  bodyBytes: count,
  jsonDepth: count,
  history: count.describe('Settled requests that the ledger remembers one by one'),
  headersMs: milliseconds,
  requestMs: milliseconds,
  keepAliveMs: milliseconds,
  silenceMs: milliseconds,
  drainMs: milliseconds,
});

/** A whole world. */
export const worldSchema = closedObject({
  clock: clockSchema,
  models: z.array(modelSchema).min(1),
  workspaces: z.array(workspaceSchema).min(1),
  keys: z.array(keySchema).min(1),
  limits: limitsSchema,
  choices: choicesSchema,
});

/** A world file: what it leaves out is the built-in world's, down to each limit and each choice. */
export const worldFileSchema = closedObject({
  $schema: z.string().exactOptional(),
  ...worldSchema.partial().shape,
  limits: limitsSchema.partial().optional(),
  choices: z
    .strictObject({
      request: choicesSchema.shape.request.partial().optional(),
      messages: choicesSchema.shape.messages.partial().optional(),
      images: choicesSchema.shape.images.partial().optional(),
      response: choicesSchema.shape.response.partial().optional(),
      models: choicesSchema.shape.models.partial().optional(),
      vision: choicesSchema.shape.vision.partial().optional(),
      stream: choicesSchema.shape.stream.partial().optional(),
      idempotency: choicesSchema.shape.idempotency.partial().optional(),
      errors: choicesSchema.shape.errors.partial().optional(),
      versioning: choicesSchema.shape.versioning.partial().optional(),
      faults: choicesSchema.shape.faults.partial().optional(),
    })
    .optional(),
});

export type WorldFile = z.infer<typeof worldFileSchema>;

/** The published JSON Schema (draft 2020-12) of a world file. */
export function worldJsonSchema(): object {
  return { title: 'World of the chat-completion mock', ...z.toJSONSchema(worldFileSchema) };
}
