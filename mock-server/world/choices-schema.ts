import { z } from 'zod';

import { closedObject } from './closed-object.ts';

import { ERROR_TABLE } from '../protocol/error-table.ts';

const fieldName = z.string().min(1);
/** What may stand in a header, or on one line of an event stream. */
const line = z.string().regex(/^[\x20-\x7e]*$/, 'One line of printable ASCII is needed here');
const errorKind = z.literal(Object.keys(ERROR_TABLE).filter(isErrorKind));

function isErrorKind(name: string): name is keyof typeof ERROR_TABLE {
  return Object.hasOwn(ERROR_TABLE, name);
}

const errorOverride = closedObject({
  code: z.string().min(1).exactOptional(),
  status: z.int().min(400).max(599).exactOptional(),
});

const responseSchema = closedObject({
  finishReasonField: fieldName,
  finishReasonPlace: z.enum(['choice', 'root']),
  usageField: fieldName,
  inputTokensField: fieldName,
  outputTokensField: fieldName,
  totalTokensField: fieldName,
  extraFields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

/** How a world fills each open point; each group says by which clause it is open. */
export const choicesSchema = closedObject({
  request: z
    .strictObject({
      temperatureMinimum: z.number(),
      temperatureMaximum: z.number(),
      maxTokensMinimum: z.int().min(1),
      maxTokensDefault: z.int().min(1),
    })
    .describe('REQ-8'),
  messages: z
    .strictObject({
      extraFields: z.enum(['refuse', 'ignore']),
      emptyList: z.enum(['refuse', 'accept']),
      emptyContent: z.enum(['refuse', 'accept']),
    })
    .describe('MSG-6'),
  images: closedObject({ schemes: z.array(z.enum(['data', 'https'])).min(1) }).describe('MSG-5'),
  response: responseSchema.describe('RES-6'),
  models: closedObject({ shape: z.enum(['data', 'models', 'list']), idField: fieldName }).describe('MOD-3'),
  vision: closedObject({ shape: z.enum(['list', 'map', 'flag']) }).describe('VIS-3'),
  stream: z
    .strictObject({
      framing: z.enum(['chunks', 'one-event']),
      eventName: line.nullable(),
      terminator: line.nullable(),
      newline: z.enum(['lf', 'crlf']),
      comment: line.nullable(),
    })
    .describe('STR-5'),
  idempotency: z
    .strictObject({
      missing: z.enum(['accept', 'refuse']),
      repeated: z.enum(['replay', 'refuse', 'serve']),
      retentionSeconds: z.int().min(0),
      capacity: z.int().min(1),
    })
    .describe('IDEM-4'),
  errors: z
    .strictObject({
      shape: z.enum(['nested', 'root']),
      requestIdField: fieldName.regex(/^(?!(?:code|message|__proto__)$)/, 'A name of its own is needed here'),
      overrides: z.partialRecord(errorKind, errorOverride),
    })
    .describe('ERR-9'),
  versioning: closedObject({ deprecation: line.nullable(), sunset: line.nullable() }).describe('VER-3'),
  faults: z
    .strictObject({ header: z.enum(['allow', 'ignore']), models: z.enum(['allow', 'refuse']) })
    .describe(
      'Whether a request can ask for a fault itself: in the header x-mock-fault, with a model ID fault:…',
    ),
});
