/** One small change of the code. */
export interface Mutation {
  /** Below `suites/`. */
  readonly file: string;
  /** The line of code in which it begins, without its indent. */
  readonly line: string;
  /** The code in question, on one line. */
  readonly from: string;
  /** What it was changed to, on one line. */
  readonly to: string;
}

/** A small change of the code, and what the tests made of it. */
export interface Mutant extends Mutation {
  readonly fate: Fate;
}

/** `noticed`: a test failed. `survived`: none did. `none`: nothing was tried, because the module could not be loaded at all or judges nothing. */
export type Fate = 'noticed' | 'survived' | 'none';

/** What tells one mutant from another as long as the line stays as it is. */
export function mutantKey({ file, line, from, to }: Mutation): string {
  return JSON.stringify([file, line, from, to]);
}
