import { z } from 'zod';
import { ERROR_TABLE } from '../protocol/service-error.ts';

const fieldName = z.string().min(1);
/** The value of a header, or one line of an event stream. */
const line = z.string().regex(/^[\x20-\x7e]*$/, 'Expected one line of printable ASCII');
const errorKind = z.literal(Object.keys(ERROR_TABLE).filter(isErrorKind));

function isErrorKind(name: string): name is keyof typeof ERROR_TABLE {
  return Object.hasOwn(ERROR_TABLE, name);
}

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
    .strictObject({ header: z.enum(['allow', 'ignore']), models: z.enum(['allow', 'refuse']) })
    .describe(
      'Whether a request can ask for a fault itself: in the header x-mock-fault, with a model ID fault:…',
    ),
};

/** How a world fills each open point. */
export const choicesSchema = z.strictObject(groups);

type Choices = z.output<typeof choicesSchema>;

/** The same, of which any part may be left out. */
export const choicesPartSchema = z.strictObject(
  Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, group.partial().exactOptional()])),
) as z.ZodType<{ [Name in keyof Choices]?: Partial<Choices[Name]> }>;
