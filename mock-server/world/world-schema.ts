import { z } from 'zod';
import { answerInFile } from '../answers/answer-schema.ts';
import { choicesSchema } from './choices-schema.ts';
import { closedObject } from './closed-object.ts';

const count = z.int().min(1);
const milliseconds = z.int().min(1).max(2_147_483_647);
const credits = z.int().min(0);
const name = z.string().min(1);

/** The source of the Date header, `created`, and the age of an Idempotency-Key. */
const clockSchema = z.discriminatedUnion('kind', [
  closedObject({ kind: z.literal('fixed'), at: z.iso.datetime({ offset: true }) }),
  closedObject({ kind: z.literal('real') }),
]);

const modelSchema = closedObject({
  id: name,
  contextTokens: count.describe('Tokens of input and requested output together'),
  price: closedObject({ input: credits, output: credits }).describe('Credits per token'),
  vision: z.boolean().exactOptional().describe('Whether image parts are accepted; absent: no'),
  /** A model that is not available is known, unlisted, and answered with `model_unavailable` (ERR-6). */
  available: z.boolean().exactOptional().describe('Absent: yes'),
  /** The time of a completion, and of each token of its output. */
  latencyMs: z.number().min(0).exactOptional(),
  latencyPerTokenMs: z.number().min(0).exactOptional(),
});

/** The owner of credits. Its keys share them, and one space of Idempotency-Keys. */
const workspaceSchema = closedObject({ id: name, credits: credits.describe('Granted at the start') });

const keySchema = closedObject({
  name,
  /** The bearer token itself. No answer and no log line shows it. */
  key: z.string().regex(/^[A-Za-z0-9\-._~+/]+=*$/, 'Expected a bearer token (RFC 6750)'),
  workspace: name,
  scopes: z.array(z.string()).describe('inference is what every endpoint needs'),
  models: z.array(z.string()).exactOptional().describe('IDs of the models it may use; absent: all'),
  concurrency: z.int().min(0).exactOptional().describe('Completions at once; absent: limits.concurrency'),
});

/** The numbers that the specification does not show (LIM-5). */
const limitsSchema = closedObject({
  /** Running completions of each key that does not set its own limit. */
  concurrency: z.int().min(0),
  /** Sent as Retry-After with a rate limit error. */
  retryAfterSeconds: z.int().min(0),
  bodyBytes: count,
  /** Levels of nested arrays and objects in a body. */
  jsonDepth: count,
  history: count.describe('Settled requests that the ledger remembers one by one'),
  /** Until the head of a request has arrived. */
  headersMs: milliseconds,
  /** Until the whole request has arrived. */
  requestMs: milliseconds,
  /** Until an unused connection is closed. */
  keepAliveMs: milliseconds,
  /** Of silence in both directions, until a connection is cut. */
  silenceMs: milliseconds,
  /** For running requests when the mock closes. */
  drainMs: milliseconds,
});

export const worldSchema = closedObject({
  clock: clockSchema,
  models: z.array(modelSchema).min(1),
  workspaces: z.array(workspaceSchema).min(1),
  keys: z.array(keySchema).min(1),
  limits: limitsSchema,
  choices: choicesSchema,
  answers: z
    .array(answerInFile)
    .exactOptional()
    .describe('What the mock says instead of its own words: the first answer that matches a chat'),
  unanswered: z
    .enum(['generate', 'refuse'])
    .exactOptional()
    .describe(
      'A chat that no chosen answer is for gets the own words of the mock (the default), or an error',
    ),
});

/** A world file. What it leaves out comes from the built-in world, down to each limit and each choice. */
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
  return { title: 'World of the chat-completion mock', ...z.toJSONSchema(worldFileSchema, { io: 'input' }) };
}
