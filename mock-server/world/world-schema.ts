import { z } from 'zod';
import { ANSWER_KIND, type GivenAnswer } from '../answers/compile-answers.ts';
import { FAULT_KIND, type FaultWords } from '../faults/compile-faults.ts';
import { ERROR_TABLE } from '../protocol/service-error.ts';
import { RULE } from '../rules/match.ts';
import { ruleJsonSchema } from '../rules/rule-kind.ts';
import { namesOf } from '../rules/words.ts';

const count = z.int().min(1);
const milliseconds = z.int().min(1).max(2_147_483_647);
const credits = z.int().min(0);
const name = z.string().min(1);

/** The source of the Date header, `created`, and the age of an Idempotency-Key. */
const error = 'expected real, frozen, or an instant such as 2026-01-01T00:00:00Z';
const clockSchema = z
  .union([z.enum(['real', 'frozen']), z.iso.datetime({ offset: true, error })], error)
  .describe('An instant: it stands still; frozen: at the instant of the built-in world');

const modelSchema = z.strictObject({
  id: name,
  contextTokens: count.describe('Tokens of input and requested output together'),
  price: z.strictObject({ input: credits, output: credits }).describe('Credits per token'),
  vision: z.boolean().exactOptional().describe('Whether image parts are accepted; absent: no'),
  /** A model that is not available is known, unlisted, and answered with `model_unavailable` (ERR-6). */
  available: z.boolean().exactOptional().describe('Absent: yes'),
  /** The time of a completion, and of each token of its output. */
  latencyMs: z.number().min(0).exactOptional(),
  latencyPerTokenMs: z.number().min(0).exactOptional(),
});

/** The owner of credits. Its keys share them, and one space of Idempotency-Keys. */
const workspaceSchema = z.strictObject({ id: name, credits: credits.describe('Granted at the start') });

const keySchema = z.strictObject({
  name,
  /** The bearer token itself. No answer and no log line shows it. */
  key: z.string().regex(/^[A-Za-z0-9\-._~+/]+=*$/, 'Expected a bearer token (RFC 6750)'),
  workspace: name,
  scopes: z.array(z.string()).describe('inference is what every endpoint needs'),
  models: z.array(z.string()).exactOptional().describe('IDs of the models it may use; absent: all'),
  concurrency: z.int().min(0).exactOptional().describe('Completions at once; absent: limits.concurrency'),
});

/** The numbers that the specification does not show (LIM-5). */
export const limitsSchema = z.strictObject({
  concurrency: z.int().min(0).describe('Running completions of each key that sets no limit of its own'),
  retryAfterSeconds: z.int().min(0).describe('`Retry-After` of a rate limit error'),
  bodyBytes: count.describe('Bytes of a body'),
  jsonDepth: count.describe('Levels of nested arrays and objects in a body'),
  history: count.describe('Settled requests that the ledger remembers one by one'),
  headersMs: milliseconds.describe('Until the head of a request has arrived'),
  requestMs: milliseconds.describe('Until the whole request has arrived'),
  keepAliveMs: milliseconds.describe('Until an unused connection is closed'),
  silenceMs: milliseconds.describe('Silence in both directions, until a connection is cut'),
  drainMs: milliseconds.describe('For running requests when the mock closes'),
});

const fieldName = z.string().min(1);
/** The value of a header, or one line of an event stream. */
const line = z.string().regex(/^[\x20-\x7e]*$/, 'Expected one line of printable ASCII');
const errorKind = z.literal(namesOf(ERROR_TABLE));

const errorOverride = z.strictObject({
  code: z.string().min(1).exactOptional(),
  status: z.int().min(400).max(599).exactOptional(),
});

const responseSchema = z.strictObject({
  finishReasonField: fieldName,
  finishReasonPlace: z.enum(['choice', 'root']),
  usageField: fieldName,
  inputTokensField: fieldName,
  outputTokensField: fieldName,
  totalTokensField: fieldName,
  /** Further fields at the root of a completion, sent as they are. */
  extraFields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/** The description of a group is the clause that leaves it open. */
const groups = {
  request: z
    .strictObject({
      temperatureMinimum: z.number(),
      temperatureMaximum: z.number(),
      maxTokensMinimum: z.int().min(0),
      /** Output tokens allowed without `max_tokens`, as far as the context has room. */
      maxTokensDefault: z.int().min(1),
    })
    .describe('REQ-8'),
  messages: z
    .strictObject({
      /** Fields of a message other than role and content. */
      extraFields: z.enum(['refuse', 'ignore']),
      emptyList: z.enum(['refuse', 'accept']),
      emptyContent: z.enum(['refuse', 'accept']),
    })
    .describe('MSG-6'),
  /** Where the `url` of an image part may point. It is never fetched. */
  images: z.strictObject({ schemes: z.array(z.enum(['data', 'https'])).min(1) }).describe('MSG-5'),
  response: responseSchema.describe('RES-6'),
  /** Shapes: `{ object, data: [] }`, `{ models: [] }`, and the list itself. */
  models: z.strictObject({ shape: z.enum(['data', 'models', 'list']), idField: fieldName }).describe('MOD-3'),
  /** A list of models with a flag each, a map of these flags, or one flag for the key. */
  vision: z.strictObject({ shape: z.enum(['list', 'map', 'flag']) }).describe('VIS-3'),
  stream: z
    .strictObject({
      /** The chunks of the common convention, or one event with the whole completion. */
      framing: z.enum(['chunks', 'one-event']),
      /** The `event:` name of every event; null: events have no name. */
      eventName: line.nullable(),
      /** The data of a last event that ends the stream; null: there is no such event. */
      terminator: line.nullable(),
      newline: z.enum(['lf', 'crlf']),
      /** A comment before the first event; null: there is no comment. */
      comment: line.nullable(),
    })
    .describe('STR-5'),
  idempotency: z
    .strictObject({
      missing: z.enum(['accept', 'refuse']),
      /** `serve` ignores the key. */
      repeated: z.enum(['replay', 'refuse', 'serve']),
      retentionSeconds: z.int().min(0),
    })
    .describe('IDEM-4'),
  errors: z
    .strictObject({
      /** `{ "error": { … } }`, or the three items at the root. */
      shape: z.enum(['nested', 'root']),
      requestIdField: fieldName.regex(
        /^(?!(?:code|message|__proto__)$)/,
        'Expected a name other than code, message and __proto__',
      ),
      overrides: z.partialRecord(errorKind, errorOverride),
    })
    .describe('ERR-9'),
  /** Values of the `deprecation` and `sunset` headers; null: the header is not sent. */
  versioning: z.strictObject({ deprecation: line.nullable(), sunset: line.nullable() }).describe('VER-3'),
  faults: z
    .strictObject({ header: z.enum(['allow', 'ignore']) })
    .describe('Whether a request can ask for a fault, in the header x-mock-fault'),
};

/** How a world fills each open point. */
const choicesSchema = z.strictObject(groups);

/** The same, of which any part may be left out. */
const choicesPartSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(groups).map(([group, schema]) => [group, schema.partial().exactOptional()]),
  ),
) as z.ZodType<{ [Name in keyof typeof groups]?: Partial<z.output<(typeof groups)[Name]>> }>;

/** Rules, as JSON or as lines, which the published schema describes. `checkWorld` reads them. */
function rulesOf<Given>(one: 'fault' | 'answer') {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no rule is used before it was read
  return z.array(z.unknown().meta({ $ref: `#/$defs/${one}` })) as z.ZodType<readonly Given[]>;
}

const worldSchema = z.strictObject({
  clock: clockSchema,
  models: z.array(modelSchema).min(1),
  workspaces: z.array(workspaceSchema).min(1),
  keys: z.array(keySchema).min(1),
  anyKey: name
    .nullable()
    .exactOptional()
    .describe('Name of the key as which every other bearer key counts; null, or absent: others are refused'),
  limits: limitsSchema,
  choices: choicesSchema,
  faults: rulesOf<FaultWords>('fault')
    .exactOptional()
    .describe('Armed at the start, and again after each reset'),
  answers: rulesOf<GivenAnswer>('answer')
    .exactOptional()
    .describe('Chosen answers: the first that matches a chat replaces the generated text'),
  unanswered: z
    .enum(['generate', 'refuse'])
    .exactOptional()
    .describe('What a chat without a chosen answer gets: a generated text (the default), or an error'),
});

/** A key in a part: it may leave out what most keys have. */
const keyPart = keySchema.partial({ workspace: true, scopes: true });

/** A list takes the place of the whole list; an object changes, adds and, with null, drops members by their names. */
function listOrChanges<Item extends z.ZodObject, Change extends z.ZodObject>(item: Item, change: Change) {
  const changes = z.record(name, change.nullable());
  return z
    .union([z.array(item).min(1), changes], 'expected a list, or an object by names')
    .describe('A list replaces all; an object changes or adds members by name, and null removes one');
}

/** A part of a world. What it leaves out comes from a base world, which is the built-in one in a file. */
export const worldPartSchema = z
  .strictObject({
    $schema: z.string(),
    ...worldSchema.shape,
    models: listOrChanges(modelSchema, modelSchema.omit({ id: true }).partial()),
    workspaces: listOrChanges(workspaceSchema, workspaceSchema.omit({ id: true }).partial()),
    keys: listOrChanges(keyPart, keyPart.omit({ name: true }).partial()),
    limits: limitsSchema.partial(),
    choices: choicesPartSchema,
  })
  .partial();

export type WorldPart = Immutable<z.output<typeof worldPartSchema>>;

/** A line of a recording: more models and answers, and other settings. */
export const recordedPartSchema = worldPartSchema.extend({
  models: z.array(modelSchema).optional(),
  answers: z.array(z.union([z.string(), ANSWER_KIND.schema])).optional(),
});

export type RecordedPart = z.output<typeof recordedPartSchema>;

/** The published JSON Schema (draft 2020-12) of a part of a world, as a file has it. */
export function worldJsonSchema(): object {
  const $defs = { fault: faultJsonSchema(), answer: ruleJsonSchema(ANSWER_KIND) };
  const title = 'World of the chat-completion mock';
  return { title, ...z.toJSONSchema(worldPartSchema, { io: 'input' }), $defs };
}

/** The fields that all faults share stand once, beside the list of faults. */
function faultJsonSchema(): object {
  const [faults, onLine] = ruleJsonSchema(FAULT_KIND).anyOf;
  const own = faults.oneOf?.map((one) => {
    const { additionalProperties: _, properties = {}, ...fault } = Object(one);
    const its = Object.entries(properties).filter(([field]) => !Object.hasOwn(RULE, field));
    return { ...fault, properties: Object.fromEntries(its) };
  });
  const { properties } = z.toJSONSchema(z.object(RULE), { io: 'input' });
  return { anyOf: [{ type: 'object', properties, oneOf: own, unevaluatedProperties: false }, onLine] };
}

/**
 * Everything that a mock serves, and every choice where the specification leaves a point open. Only the types come from
 * the schema: the built-in world is not validated, and does not load it.
 */
export type World = Immutable<z.output<typeof worldSchema>>;

export type Immutable<Value> = Value extends object
  ? { readonly [Field in keyof Value]: Immutable<Value[Field]> }
  : Value;

export type Model = World['models'][number];
export type Workspace = World['workspaces'][number];
export type Key = World['keys'][number];
export type Limits = World['limits'];

/** How a world fills the points that the specification leaves open. */
export type Choices = World['choices'];
