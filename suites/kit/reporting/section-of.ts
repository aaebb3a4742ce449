import { CLAUSES, type ClauseId, type Section } from '../../../fixtures/clauses/clauses.ts';

/** The section of the specification that a check stands in: that of its first clause. */
export function sectionOf({
  clauses: [first],
}: {
  readonly clauses: readonly ClauseId[];
}): Section | undefined {
  return first === undefined ? undefined : CLAUSES[first].section;
}
