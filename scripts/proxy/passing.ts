import type { RawHeaders } from './hop-by-hop.ts';
import type { KeptBody } from './kept-body.ts';

/** How the answer of a request ended. */
export type PassingEnd =
  | { readonly kind: 'whole' }
  /** The target was not reached: nothing left for it. */
  | { readonly kind: 'unreached'; readonly why: string }
  /** The connection to the target broke. */
  | { readonly kind: 'cut'; readonly why: string }
  /** The caller closed its connection first. */
  | { readonly kind: 'left' };

/** The answer of the target, as far as it has come. */
export interface PassingAnswer {
  readonly status: number;
  readonly rawHeaders: RawHeaders;
  /** When its head came; times are those of `performance.now()`. */
  readonly headersAt: number;
  readonly body: KeptBody;
}

/** One request on its way through the proxy, and its answer. It holds keys. */
export interface Passing {
  /** From 1, in the order in which they arrived. */
  readonly n: number;
  /** ISO 8601. */
  readonly at: string;
  readonly arrivedAt: number;
  readonly method: string;
  /** As it stands in the request line. */
  readonly url: string;
  readonly rawHeaders: RawHeaders;
  readonly body: KeptBody;
  answer: PassingAnswer | undefined;
  /** Undefined while it is under way. */
  end: PassingEnd | undefined;
  endedAt: number | undefined;
}

/** Whoever watches what passes. */
export interface PassingWatcher {
  readonly arrived: (passing: Passing) => void;
  /** Its request, its answer and its end are complete. */
  readonly ended: (passing: Passing) => void;
}
