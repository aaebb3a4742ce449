import { z } from 'zod';
import { didYouMean } from '../../../fixtures/words/did-you-mean.ts';
import { type KnownFailure, knownFailureList } from '../model/entry-schema.ts';
import { FileError, readJsonFile } from '../text/read-json-file.ts';

export const baselineSchema = z
  .strictObject({
    $schema: z.string().exactOptional().describe('Where this schema is, for editors.'),
    format: z.literal('chat-conformance/baseline'),
    version: z.literal(1),
    known: knownFailureList,
  })
  .describe('Failures that are known and do not fail a run.');

/**
 * Reads a baseline, and checks that every check or invariant it names exists.
 * @throws {FileError} At the first problem.
 */
export function readBaseline(file: string, checks: readonly { readonly id: string }[]): KnownFailure[] {
  const { known } = readJsonFile(file, 'baseline', baselineSchema);
  const ids = checks.map(({ id }) => id);
  for (const [i, { check }] of known.entries())
    if (!ids.includes(check))
      throw new FileError(
        `${file}#/known/${i}/check: no check is called ${JSON.stringify(check)}${didYouMean(check, ids)}`,
      );
  return known;
}
