import { z } from 'zod';

// Only what reads a file imports the schema: a run does not load zod.

/** Each may be a line of every report. */
const MOST_KNOWN = 5000;

const LONGEST_REASON = 2000;

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
  reason: z.string().trim().min(1).max(LONGEST_REASON).describe('Why this is accepted for now.'),
  until: z.iso.date().exactOptional().describe('The last day, in UTC, on which it is accepted.'),
});

/** What a baseline lists, and what the journal of a run with a baseline repeats. */
export const knownFailureList = z.array(knownFailure).max(MOST_KNOWN);

/** A failure that is known and does not fail a run. */
export type KnownFailure = Readonly<z.infer<typeof knownFailure>>;
