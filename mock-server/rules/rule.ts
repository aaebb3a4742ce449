import type { z } from 'zod';
import { type Found, matchSchema } from './match.ts';
import type { Phase } from './phases.ts';
import type { Subject } from './subject.ts';
import { numberWithin, wholeNumber } from './words.ts';

/** How often a rule is used. */
export const LIMITS = {
  times: wholeNumber(1).describe('How often it is used; absent: always').exactOptional(),
  after: wholeNumber(0).describe('Matching requests that pass first; absent: none').exactOptional(),
  ttl: wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .describe('Milliseconds of the clock of the world until the rule is over; absent: never')
    .exactOptional(),
  probability: numberWithin(0, 1)
    .describe('The share of the matching requests, from 0 to 1, drawn from the seed; absent: all')
    .exactOptional(),
};

/** What every rule says beside what happens: which requests it is for, and how often. */
export const RULE = { match: matchSchema.exactOptional(), ...LIMITS };

export type RuleWords = z.output<z.ZodObject<typeof RULE>>;

/** One rule, ready to be armed. */
export interface Rule {
  /** As JSON has it, with its defaults: it can be armed again. */
  readonly words: RuleWords;
  /** Where in a request a fault happens. */
  readonly phase?: Phase;
  /** What its match finds in a request; null: it is not for this request. */
  readonly meets: (subject: Subject) => Found | null;
  /** What is logged when it is armed. */
  readonly notice?: string;
  /** Whether it is one of the world: those are there for every sandbox. */
  readonly isOfWorld?: boolean;
}
