import type { Phase } from './phases.ts';
import type { Endpoint } from '../protocol/request.ts';
import type { Fault } from './fault.ts';

/** The requests that a rule is for: those that have all of these. */
export interface Match {
  readonly endpoint?: Endpoint;
  readonly model?: string;
  readonly stream?: boolean;
  /** The name of a key, never the key. */
  readonly key?: string;
  /** 1 for the first request that has all of the others. */
  readonly nth?: number;
}

/** One line of a fault plan: what strikes, where, whom, and how often. */
export interface Rule {
  readonly fault: Fault;
  readonly phase: Phase;
  readonly match: Match;
  /** How often it strikes; Infinity: always. */
  readonly times: number;
  /** Matching requests that are let through first. */
  readonly after: number;
  /** Milliseconds of the sandbox's clock after which it is over; Infinity: never. */
  readonly ttl: number;
  /** That a matching request is struck, from 0 to 1, drawn from the seed. */
  readonly probability: number;
}
