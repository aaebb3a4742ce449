import type { Phase } from './catalogue/phases.ts';
import type { Fault } from './fault.ts';
import type { ParsedRule } from './rule-schema.ts';

/** A rule as a line, `gateway_failure phase=after-debit times=1`, or as an object, `{ fault: 'timeout', ms: 50 }`. */
export type FaultWords = string | { readonly fault: string; readonly [field: string]: unknown };

/** The requests that a rule is for: those that have all of these. */
export type Match = {
  readonly [Field in keyof ParsedRule['match']]?: NonNullable<ParsedRule['match'][Field]>;
};

/** One rule of a fault plan: which fault, at which phase, for which requests, and how often. */
export interface Rule {
  readonly fault: Fault;
  readonly phase: Phase;
  readonly match: Match;
  /** How often it triggers; Infinity: always. */
  readonly times: number;
  /** Matching requests that pass first. */
  readonly after: number;
  /** Milliseconds of the sandbox's clock after which it is over; Infinity: never. */
  readonly ttl: number;
  /** The share of matching requests for which it triggers, from 0 to 1, drawn from the seed. */
  readonly probability: number;
}

/** Whose certificate a mock shows; undefined: it speaks no TLS, or the rules are those of a sandbox, which has no handshakes. */
export type Certified = 'own' | 'given' | undefined;

/** Names and values of headers in turn: none, or Retry-After as `retry_after` of a rule has it. */
export function retryAfterHeader(
  asked: string | number | null,
  now: number,
  seconds: number,
): readonly string[] {
  if (asked === null || asked === 'absent') return [];
  return ['retry-after', valueOf(asked, now, seconds)];
}

function valueOf(asked: string | number, now: number, seconds: number): string {
  if (asked === 'date') return new Date(now + seconds * 1000).toUTCString();
  return asked === 'nonsense' ? 'in a while' : String(asked);
}
