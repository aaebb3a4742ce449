import { z } from 'zod';
import { didYouMean } from '../files/did-you-mean.ts';
import { FileError, readJsonFile } from '../files/read-json-file.ts';

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

/** A failure that is known and does not fail a run. */
export type KnownFailure = Readonly<z.infer<typeof knownFailure>>;

/** Each may be a line of every report. */
const MOST_KNOWN = 5000;

const baselineSchema = z
  .strictObject({
    $schema: z.string().exactOptional().describe('Where this schema is, for editors.'),
    format: z.literal('chat-conformance/baseline'),
    version: z.literal(1),
    known: z.array(knownFailure).max(MOST_KNOWN),
  })
  .describe('Failures that are known and do not fail a run.');

export function baselineJsonSchema(): object {
  return { ...z.toJSONSchema(baselineSchema, { io: 'input' }), title: 'chat-conformance baseline' };
}

/** The checks and invariants that a baseline may name. */
type Known = readonly { readonly id: string; readonly clauses: readonly string[] }[];

/**
 * Reads a baseline, and checks that every check it names exists.
 * @throws {FileError} At the first problem.
 */
export function readBaseline(file: string, checks: Known): readonly KnownFailure[] {
  const { known } = readJsonFile(file, 'baseline', baselineSchema);
  for (const [i, entry] of known.entries()) {
    const problem = problemWith(entry, checks);
    if (problem !== undefined) throw new FileError(`${file}#/known/${i}/${problem}`);
  }
  return known;
}

/** The place in the entry, and what is wrong there. */
function problemWith({ check, clause }: KnownFailure, checks: Known): string | undefined {
  const named = checks.find(({ id }) => id === check);
  if (named === undefined) {
    const ids = checks.map(({ id }) => id);
    return `check: no check is called ${JSON.stringify(check)}${didYouMean(check, ids)}`;
  }
  if (clause === undefined || named.clauses.includes(clause)) return undefined;
  return `clause: ${check} has the clauses ${named.clauses.join(', ')}, not ${JSON.stringify(clause)}`;
}
