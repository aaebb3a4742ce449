import { z } from 'zod';

const knownFailure = z.strictObject({
  check: z.string().min(1).describe('The ID of the check that fails.'),
  clause: z.string().exactOptional().describe('One of its clauses, for people.'),
  failure: z
    .strictObject({
      code: z.string().min(1),
      path: z.string().exactOptional().describe('Absent: anywhere.'),
    })
    .exactOptional()
    .describe('Which of its failures, as `failures` of report.json names them. Absent: whichever.'),
  reason: z.string().trim().min(1).describe('Why this is accepted for now.'),
  until: z.iso.date().exactOptional().describe('The last day, in UTC, on which it is accepted.'),
});

/** A baseline as a file holds it. */
export const baselineSchema = z
  .strictObject({
    $schema: z.string().exactOptional().describe('Where this schema is, for editors.'),
    format: z.literal('chat-conformance/baseline'),
    version: z.literal(1),
    known: z.array(knownFailure),
  })
  .describe('Failures that are known and do not fail a run.');

/** The JSON Schema of a baseline. */
export function baselineJsonSchema(): object {
  return { ...z.toJSONSchema(baselineSchema, { io: 'input' }), title: 'chat-conformance baseline' };
}
