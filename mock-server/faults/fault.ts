import { z } from 'zod';
import type { ServiceError } from '../protocol/service-error.ts';
import { type Match, RULE } from '../rules/match.ts';
import type { Phase } from '../rules/phases.ts';
import { oneOf, type Shape } from '../rules/words.ts';
import { isRange, LARGEST, type Milliseconds } from '../time/spread.ts';
import type { Delivery, OutgoingAnswer } from './deliveries.ts';

/** How a request ends that loses its answer between its reservation and its debit. */
export const THEN = {
  // oxlint-disable-next-line unicorn/no-thenable -- a word of a rule's syntax, never a function
  then: oneOf(['review', 'completes', 'fails'])
    .describe(
      'While the reservation is held: the request goes under review (the default), or continues without its caller and completes or fails',
    )
    .exactOptional(),
};

export type Outcome = NonNullable<z.output<z.ZodObject<typeof THEN>>['then']>;

/** Something takes the place of the answer: the outcome is uncertain to the caller (ERR-7, ERR-8). */
export interface Loss {
  readonly kind: 'lose';
  /** What someone else than the service sends (ERR-7), without a request ID or headers that frame the body; or what becomes of the connection. */
  readonly instead: OutgoingAnswer | 'fin' | 'rst' | 'silence';
}

/** What a fault does to a request or to its answer. */
export type Effect =
  /** The request goes on, later, in real time. */
  | { readonly kind: 'wait'; readonly ms: number }
  /** An application error (ERR-1), without a debit. */
  | { readonly kind: 'refuse'; readonly error: ServiceError }
  | Loss
  | Delivery;

/** Where and when a fault happens. */
export interface Occasion {
  readonly phase: Phase;
  /** What the world says with a rate limit. */
  readonly retryAfterSeconds: number;
  /** The milliseconds of this request at this phase. */
  readonly draw: (ms: Milliseconds) => number;
}

/** A fault: a failure that the specification foresees. A service that meets it stays conformant. */
interface Declared<Parameters extends Shape, Where extends Phase> {
  readonly meaning: string;
  /** Where it can trigger, in order. */
  readonly phases: readonly Where[];
  readonly defaultPhase: NoInfer<Where>;
  /** What its rules always match. */
  readonly only?: Match;
  /** Without a default, a parameter may be absent. */
  readonly parameters: Parameters;
  readonly effect: (given: z.output<z.ZodObject<Parameters>>, occasion: Occasion) => Effect;
}

export function fault<Parameters extends Shape, Where extends Phase>({
  effect,
  only = {},
  ...declared
}: Declared<Parameters, Where>) {
  const { phases, defaultPhase, parameters } = declared;
  const phase = oneOf(phases).describe('Where in the request').meta({ default: defaultPhase });
  return {
    ...declared,
    only,
    /** All that its rules say beside its name. */
    rule: z.object({ phase: phase.exactOptional(), ...RULE, ...parameters }),
    /** What a rule does, from its words. */
    bind: (words: object): ((occasion: Occasion) => Effect) => {
      const given = z.object(parameters).parse(words);
      return (occasion) => effect(given, occasion);
    },
  };
}

const asciiError = 'expected printable ASCII';

export const headerValue = z.union(
  [z.string(asciiError).regex(/^[\u0020-\u007e]*$/, asciiError), z.number(asciiError)],
  asciiError,
);

const rangeError = `expected milliseconds from 1 to ${LARGEST}, or FROM..TO`;

/** Milliseconds: a whole number, or a range from which each request draws its own. */
export const duration = z.union(
  [
    z.int(rangeError).min(1, rangeError).max(LARGEST, rangeError),
    z.string(rangeError).refine(isRange, rangeError),
  ],
  rangeError,
);

export const RETRY_AFTER = {
  retry_after: headerValue
    .describe('Retry-After: seconds, `date`, `date+30` or `date-30` (real time), `absent`, or any text')
    .exactOptional(),
};

/** Names and values of headers in turn: none, or Retry-After as `retry_after` of a rule has it. */
export function retryAfterHeader(asked: string | number | undefined): readonly string[] {
  if (asked === undefined || asked === 'absent') return [];
  const { groups } = /^date(?<seconds>[+-]\d{1,9})?$/.exec(String(asked)) ?? {};
  if (groups === undefined) return ['retry-after', String(asked)];
  // HTTP spells whole seconds: no earlier than after so many.
  const seconds = Math.ceil(Date.now() / 1000 + Number(groups['seconds'] ?? 0));
  return ['retry-after', new Date(seconds * 1000).toUTCString()];
}
