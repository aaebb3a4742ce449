import { z } from 'zod';
import { PHASES } from '../rules/phases.ts';

/** A whole answer, a part of one, no byte, or the client disconnected first. */
export const ENDS = ['answered', 'cut', 'silent', 'client-gone'] as const;

export const endpoint = z.enum(['models', 'chat', 'vision']);

export const triggeredFault = z.strictObject({ rule: z.string(), fault: z.string(), phase: z.enum(PHASES) });

/** What a journal keeps of one request. Values that are not known (yet) are null or empty. */
export const journalEntry = z.strictObject({
  id: z.int().describe('The order of arrival over all sandboxes'),
  sandbox: z.string().nullable().describe("Null: the mock's own world"),
  n: z.int().describe('The order of arrival in this world'),
  at: z.int().describe('Milliseconds since 1970, by the clock of the world'),
  realAt: z.int().describe('Milliseconds since 1970, by the clock of the machine'),
  ms: z.number().nullable().describe('Milliseconds until the end, of real time; null: running'),
  requestId: z.string(),
  idempotencyKey: z.string().nullable(),
  endpoint: endpoint.nullable(),
  key: z.string().nullable().describe('The name of the key'),
  method: z.string().describe('BYTES: what came was no request'),
  path: z.string(),
  model: z.string().nullable().describe('Of a valid chat'),
  stream: z.boolean(),
  phases: z.array(z.enum(PHASES)),
  fault: triggeredFault.nullable().describe('The last one of faults'),
  faults: z.array(triggeredFault).describe('Every fault that triggered, in order'),
  answer: z.string().nullable().describe('The ID of the rule that chose the answer'),
  status: z.int().nullable(),
  bytesWritten: z.int(),
  ledger: z.array(z.record(z.string(), z.unknown())).describe('As in the history of the workspace'),
  ended: z.enum(ENDS).nullable().describe('Null: running'),
});

/** With what only the bodies of a request say. */
export const shownEntry = journalEntry.extend({
  prompt: z
    .string()
    .nullable()
    .describe(
      'The beginning of the last user message; null: there is none, or its body is not kept any more',
    ),
  code: z.string().nullable().describe('Of the error object that was sent'),
});

const header = z.tuple([z.string().describe('Name'), z.string().describe('Value')]);
const shownBody = z
  .union([
    z.strictObject({ text: z.string(), bytes: z.int() }),
    z.strictObject({ base64: z.string(), bytes: z.int() }),
  ])
  .nullable()
  .describe('Text if it is UTF-8; null: it was too large to read');
const ms = z.number().describe('Milliseconds since the arrival, of real time');

/** A request with everything that was recorded of it, without any key. */
export const shownExchange = z.strictObject({
  entry: shownEntry,
  phases: z.array(z.strictObject({ phase: z.enum(PHASES), ms })),
  request: z
    .strictObject({ url: z.string(), headers: z.array(header), body: shownBody })
    .nullable()
    .describe('Null: it is not kept any more, because later ones took its room'),
  response: z
    .strictObject({
      status: z.int(),
      headers: z.array(header),
      body: shownBody,
      ms,
      left: z
        .int()
        .nullable()
        .describe('Bytes of its body that left before it was cut; null: it was not cut'),
    })
    .nullable()
    .describe('The answer as it was made, even if only a part of it left'),
  departures: z
    .array(z.strictObject({ ms, bytes: z.int() }))
    .describe(
      'When how many bytes of the answer had left the socket, head included; the last of 1,000 stands for all that follow',
    ),
});
